/** The injection token of the service's configuration. */
export const BOT_RUNTIME_CONFIG = Symbol('BotRuntimeConfig');
