/** The settings of this service, for injection. */
export const BOT_RUNTIME_SETTINGS = Symbol('BotRuntimeSettings');
