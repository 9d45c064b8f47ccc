import { ROUTES_BY_LENGTH, type ServiceName } from '../routes';

/**
 * A segment that a service or a proxy could read as "this folder" or "the one above": what the path looks like here
 * and what it would mean there are then two things. A backslash is a slash to some.
 */
const AMBIGUOUS = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|%5c/i;

/**
 * The service that a request target belongs to, null when none. Compares the raw path, segment by segment, as the
 * service will: nothing is decoded, merged or resolved.
 */
export function findRoute(target: string): ServiceName | null {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  for (const { prefix, service } of ROUTES_BY_LENGTH) {
    if (!path.startsWith(prefix)) continue;
    if (path.length > prefix.length && path.charCodeAt(prefix.length) !== SLASH) continue;
    return AMBIGUOUS.test(path) ? null : service;
  }
  return null;
}

const SLASH = '/'.charCodeAt(0);
