/** The injection token of the service's configuration. */
export const CHATAPP_HOOK_CONFIG = Symbol('ChatappHookConfig');
