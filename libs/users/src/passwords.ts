import { availableParallelism } from 'node:os';
import { AppError } from '@heliograph/errors';
import { HashingThreads } from './hashing-threads';

/** OWASP's first choice for argon2id. The library's default algorithm is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash to compare with where there is no user: an unknown address costs what a wrong password costs. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$5UsGm71aCCcJhHcClA+Tug$EZD2oJ8ds6t/pyfEYoT7LXm9cybN1GJL59ly3kq9jZM';

/** Longer than any passphrase, short enough that hashing it costs what hashing costs. */
export const MAX_PASSWORD_LENGTH = 1_024;
const MIN_PASSWORD_LENGTH = 8;
/** One hash for each processor at a time: more would not end sooner. */
const threads = new HashingThreads(availableParallelism(), 1_000);

/** argon2id in PHC notation, on a thread of its own. */
export function hashPassword(password: string): Promise<string> {
  return threads.hash(password.normalize('NFKC'), COST);
}

/** What is stored of a password that somebody chose. Throws VALIDATION_ERROR. */
export async function hashNewPassword(password: string, email: string, field = 'password'): Promise<string> {
  checkNewPassword(password, email, field);
  return hashPassword(password);
}

/** `stored` null: there is no such user; takes the same time and says no. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await threads.verify(stored ?? NOBODYS_HASH, password.normalize('NFKC'));
  return stored !== null && matches;
}

/** Throws VALIDATION_ERROR, in the name of the request's field, for a password that people should not choose. */
export function checkNewPassword(password: string, email: string, field = 'password'): void {
  const refuse = (reason: string): never => {
    throw new AppError('VALIDATION_ERROR', `${field}: ${reason}`);
  };
  if (password.length < MIN_PASSWORD_LENGTH) refuse(`must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (password.length > MAX_PASSWORD_LENGTH) refuse(`must have at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (!password.isWellFormed() || password.includes('\0')) refuse('must be valid text.');
  if (new Set(password).size < 4 || password.toLowerCase() === email) refuse('is too easy to guess; choose another.');
}
