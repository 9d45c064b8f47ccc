import { hash } from '@node-rs/argon2';

const hashes = new Map<string, Promise<string>>();

/**
 * Hashes a password with the lowest cost, in PHC notation, so that logins of tests take little processor time. Tests
 * that check the cost of a hash must not use it.
 */
export function fastPasswordHash(password: string): Promise<string> {
  const found = hashes.get(password) ?? hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  hashes.set(password, found);
  return found;
}
