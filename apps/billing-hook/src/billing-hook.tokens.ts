/** The settings of this service, for injection. */
export const BILLING_HOOK_SETTINGS = Symbol('BillingHookSettings');
