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
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that mean "the server cannot serve now", not "the statement is
 * wrong": connection 08, resources 53, operator intervention 57 (57014 is a statement time-out), lock not available
 * 55P03, read-only 25006 (a fail-over in progress), serialization and deadlock 40.
 */
const UNAVAILABLE_SQLSTATE = /^(?:08|53|57|40)[0-9A-Z]{3}$|^55P03$|^25006$|^58030$/;

const MAX_CAUSES = 5;

const POOL_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'Cannot use a pool after calling end',
  // TypeORM, when the connection of a query is lost between taking it and using it.
  'Query runner already released',
  'provided by a query runner was already released',
];

/** Whether an error thrown by a driver says that a dependency is away, rather than that our request was wrong. */
export function isDependencyFailure(error: unknown): boolean {
  let current = error;
  // Not instanceof: errors of sockets may come from another realm.
  for (let depth = 0; depth < MAX_CAUSES && types.isNativeError(current); depth++) {
    const { code, message } = current as Error & { code?: unknown };
    if (typeof code === 'string' && (SOCKET_CODES.has(code) || UNAVAILABLE_SQLSTATE.test(code))) return true;
    if (POOL_MESSAGES.some((text) => message.includes(text))) return true;
    current = current.cause;
  }
  return false;
}
