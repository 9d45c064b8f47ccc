import { ROUTES_BY_LENGTH, type Route } from '../routes';

/**
 * A segment that a service or a proxy could resolve as the current or the parent folder: the path would then have another
 * meaning there. Some of them treat a backslash as a slash.
 */
const AMBIGUOUS = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|%5c/i;

/**
 * The route of a request target, or null. Compares the raw path segment by segment, as the service does, without
 * decoding, merging or resolving.
 */
export function findRoute(target: string): Route | null {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  for (const route of ROUTES_BY_LENGTH) {
    const { prefix } = route;
    if (!path.startsWith(prefix)) continue;
    if (path.length > prefix.length && path.charCodeAt(prefix.length) !== SLASH) continue;
    return AMBIGUOUS.test(path) ? null : route;
  }
  return null;
}

const SLASH = '/'.charCodeAt(0);
