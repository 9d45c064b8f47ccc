import { availableParallelism } from 'node:os';
import { AppError } from '@heliograph/errors';
import { isCommonPassword, isPersonalWord } from './guessable-passwords';
import type { LaneObserver } from '@heliograph/fairness';
import { HashingThreads, type HashingLane } from './hashing-threads';

/** OWASP's first recommendation for argon2id, which is the default algorithm of the library. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hash for unknown addresses, so that they take the same time as a wrong password. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$5UsGm71aCCcJhHcClA+Tug$EZD2oJ8ds6t/pyfEYoT7LXm9cybN1GJL59ly3kq9jZM';

/** Longer than any passphrase, and short enough to hash quickly. */
export const MAX_PASSWORD_LENGTH = 1_024;
const MIN_PASSWORD_LENGTH = 8;

/** One hash per CPU at a time: more would not increase throughput. The last thread is for logins without failures. */
const threads = new HashingThreads(Math.max(2, availableParallelism()), 1_000);
const NEW_PASSWORD: HashingLane = { kind: 'new', owner: 'new passwords' };
const SIGNED_IN: HashingLane = { kind: 'known', owner: 'users' };

/** Adds the metrics of the queue for hashes to those of a service. */
export function observeHashing(observer: LaneObserver): void {
  threads.observe(observer);
}

/** Hashes with argon2id on a separate thread; returns PHC notation. */
export function hashPassword(password: string): Promise<string> {
  return threads.hash(password.normalize('NFKC'), COST, NEW_PASSWORD);
}

/**
 * Validates and hashes a new password. `words` describe the user: the email address, the name, and the names of the
 * organizations. Throws VALIDATION_ERROR.
 */
export async function hashNewPassword(password: string, words: readonly string[], field = 'password'): Promise<string> {
  checkNewPassword(password, words, field);
  if (await isCommonPassword(password)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `${field}: is one of the most common passwords, or a variant of one. Choose another password.`,
    );
  }
  return hashPassword(password);
}

/**
 * `stored` null means that the user does not exist: takes the same time and returns false.
 * @param lane default: that of users who are logged in
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  lane: HashingLane = SIGNED_IN,
): Promise<boolean> {
  const matches = await threads.verify(stored ?? NOBODYS_HASH, password.normalize('NFKC'), lane);
  return stored !== null && matches;
}

/**
 * Verifies the password of a login in its lane; `stored` as in `verifyPassword`. A user without recent failures does not
 * wait for logins as users who do not exist.
 */
export function verifyLogin(stored: string | null, password: string, lane: HashingLane): Promise<boolean> {
  if (lane.kind !== 'fresh') return verifyPassword(stored, password, lane);
  if (stored === null) return verifyPassword(null, password, { kind: 'nobody', owner: lane.owner });
  return threads.verifyFresh(stored, password.normalize('NFKC'), lane.owner);
}

/** Rejects weak passwords. Throws VALIDATION_ERROR with the name of the request field. */
export function checkNewPassword(password: string, words: readonly string[], field = 'password'): void {
  const refuse = (reason: string): never => {
    throw new AppError('VALIDATION_ERROR', `${field}: ${reason}`);
  };
  if (password.length < MIN_PASSWORD_LENGTH) refuse(`must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (password.length > MAX_PASSWORD_LENGTH) refuse(`must have at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (!password.isWellFormed() || password.includes('\0')) refuse('must be valid text.');
  if (new Set(password).size < 4) refuse('is too easy to guess. Choose another password.');
  if (isPersonalWord(password, words)) {
    refuse(
      'must not be the email address, the name of the user or the name of the organization. Choose another password.',
    );
  }
}
