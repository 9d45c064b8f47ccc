/** The names of the extensions in the OpenAPI document. */
export const ACCESS_EXTENSION = 'x-access';
export const LIMITS_EXTENSION = 'x-limits';

/** What a caller of an operation needs besides credentials. */
export interface RouteAccess {
  /** The scope of an API key with restricted scopes. */
  scope?: string;
  /** The permission, which the roles have. */
  permission?: string;
  /** The roles of a key or a user that may make the call. Absent: all. */
  roles?: readonly string[];
}

/** A number of calls in a period. */
export interface RateLimit {
  calls: number;
  seconds: number;
  /** Whose calls are counted together, such as `API key or user`. */
  per: string;
}

export interface RouteLimits {
  /** Every one of them applies. */
  rates?: readonly RateLimit[];
  /** The largest body, in bytes. */
  bodyBytes?: number;
}

/** What the guards of a service enforce for a route. */
export interface RouteFacts {
  access?: RouteAccess;
  rates?: readonly RateLimit[];
}
