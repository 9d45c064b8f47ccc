import { setTimeout as delay } from 'node:timers/promises';
import { isDependencyFailure } from '@heliograph/errors';

export interface RetryOptions {
  /** Delay between two attempts. Up to 50 % is added at random, so that retries spread over time. */
  delayMs: number;
  /** Aborts the retries: the next failure is thrown. */
  signal: AbortSignal;
  onRetry?: (error: unknown, attempt: number) => void;
}

/**
 * Retries a write while the database is unavailable, for content that must not be lost, such as the response of a
 * provider. Throws any other error immediately.
 */
export async function retryWhileUnavailable<T>(
  write: () => Promise<T>,
  { delayMs, signal, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isDependencyFailure(error) || signal.aborted) throw error;
      onRetry?.(error, attempt);
      await delay(delayMs * (1 + Math.random() / 2));
    }
  }
}
