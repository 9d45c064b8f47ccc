import type { PlatformSettings } from './platform.config';

/** The configuration of the service, as its `loadSettings` returned it. */
export const CONFIG = Symbol('Config');
export const LOGGER = Symbol('Logger');
/** The `LimiterStorage` of the service, for limits of its own. */
export const LIMITER = Symbol('Limiter');
/** What the process does: see `ROLE` in the configuration. */
export const ROLE = Symbol('Role');
export type Role = PlatformSettings['ROLE'];
