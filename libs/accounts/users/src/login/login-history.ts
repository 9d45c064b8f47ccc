import { LRUCache } from 'lru-cache';
import type { HashingLane } from './hashing-threads';

const MAX_ENTRIES = 100_000;
const FAILURES_MS = 15 * 60_000;
/** People mistype a password once or twice. */
const MAX_ACCOUNT_FAILURES = 3;
/** Many people may log in from one network. */
const MAX_NETWORK_FAILURES = 10;

/** Who attempts to log in. All values are independent of whether the user exists. */
export interface LoginAttempt {
  /** Hash of the email address. */
  account: string;
  network: string;
  isKnownDevice: boolean;
}

/**
 * Remembers the recent logins of this process, to decide which of the waiting ones is served first. It grants and denies
 * nothing: `login-attempts.ts` limits failures.
 */
export class LoginHistory {
  private readonly failures = new LRUCache<string, number>({ max: MAX_ENTRIES, ttl: FAILURES_MS });
  private readonly successes = new LRUCache<string, true>({ max: MAX_ENTRIES });

  laneOf({ account, network, isKnownDevice }: LoginAttempt): HashingLane {
    if (isKnownDevice || this.successes.has(`${network} ${account}`)) return { kind: 'known', owner: account };
    const isSuspect =
      (this.failures.get(account) ?? 0) >= MAX_ACCOUNT_FAILURES ||
      (this.failures.get(network) ?? 0) >= MAX_NETWORK_FAILURES;
    return { kind: isSuspect ? 'suspect' : 'fresh', owner: network };
  }

  note({ account, network }: LoginAttempt, isRight: boolean): void {
    if (isRight) {
      this.successes.set(`${network} ${account}`, true);
      return;
    }
    for (const key of [account, network]) {
      this.failures.set(key, (this.failures.get(key) ?? 0) + 1, { noUpdateTTL: true });
    }
  }
}
