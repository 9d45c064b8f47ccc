/** The configuration of the service, as returned by its `loadConfig`. */
export const CONFIG = Symbol('Config');
export const LOGGER = Symbol('Logger');
/** The `LimiterStorage` of the service, for additional rate limits. */
export const LIMITER = Symbol('Limiter');
/** The role of the process: see `ROLE` in the configuration. */
export const ROLE = Symbol('Role');
