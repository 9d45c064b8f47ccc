/** The settings of this service, for injection. */
export const CHATAPP_HOOK_SETTINGS = Symbol('ChatappHookSettings');
