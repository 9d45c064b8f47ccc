import { types } from 'node:util';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that mean "the server is unavailable" instead of "the statement
 * is wrong": connection 08, resources 53, operator intervention 57 (57014 is a statement time-out), lock not available
 * 55P03, read-only 25006 (a fail-over in progress), serialization failure and deadlock 40.
 */
const UNAVAILABLE_SQLSTATE = /^(?:08|53|57|40)[0-9A-Z]{3}$|^55P03$|^25006$|^58030$/;

const MAX_CAUSES = 5;

const POOL_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Cannot use a pool after calling end',
  // From TypeORM, when a connection is lost after it was acquired and before the query.
  'Query runner already released',
  'provided by a query runner was already released',
];

/** Whether an error of a driver means that a dependency is unavailable, and not that the request is wrong. */
export function isDependencyFailure(error: unknown): boolean {
  let current = error;
  // No instanceof: socket errors may come from another realm.
  for (let depth = 0; depth < MAX_CAUSES && types.isNativeError(current); depth++) {
    const { code, message } = current as Error & { code?: unknown };
    if (typeof code === 'string' && (SOCKET_CODES.has(code) || UNAVAILABLE_SQLSTATE.test(code))) return true;
    if (POOL_MESSAGES.some((text) => message.includes(text))) return true;
    current = current.cause;
  }
  return false;
}
