/** Injection token of the configuration of this service. */
export const BILLING_HOOK_CONFIG = Symbol('BillingHookSettings');
