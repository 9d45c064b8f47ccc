import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import Redis from 'ioredis';

type Increment = ThrottlerStorage['increment'];

/** Time without use of Redis after a failed count, so that only few calls wait for a Redis that does not answer. */
const PAUSE_MS = 1_000;
/** Minimum time without an answer to a command after which the connection is replaced. */
const MIN_SOCKET_TIMEOUT_MS = 2_000;

/**
 * Counts in Redis, shared by all replicas. While Redis is unavailable or does not answer it counts in this process, so
 * that calls neither wait nor fail because of the rate limit.
 */
export class LimiterStorage implements ThrottlerStorage {
  private readonly memory = new ThrottlerStorageService();
  private readonly redis: Redis | null;
  private readonly shared: ThrottlerStorageRedisService | null;
  /** Monotonic milliseconds. */
  private pausedUntilMs = 0;

  /** `timeoutMs`: maximum time to wait for Redis per count. */
  constructor(redisUrl: string | undefined, timeoutMs: number) {
    this.redis = redisUrl
      ? new Redis(redisUrl, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          commandTimeout: timeoutMs,
          // `commandTimeout` leaves the command in the queue of the connection; only a new connection empties the queue.
          // The time is measured only while a command has no answer, so idle connections stay open.
          socketTimeout: Math.max(MIN_SOCKET_TIMEOUT_MS, 2 * timeoutMs),
          connectTimeout: 2_000,
          retryStrategy: (times) => Math.min(2_000, times * 100),
        })
      : null;
    // Without a listener, an `error` event of ioredis would end the process.
    this.redis?.on('error', () => undefined);
    this.shared = this.redis ? new ThrottlerStorageRedisService(this.redis) : null;
  }

  get usesRedis(): boolean {
    return this.redis?.status === 'ready' && performance.now() >= this.pausedUntilMs;
  }

  async increment(...args: Parameters<Increment>): ReturnType<Increment> {
    if (this.shared && this.usesRedis) {
      try {
        return await this.shared.increment(...args);
      } catch {
        // Falls back to the in-process counter.
        this.pausedUntilMs = performance.now() + PAUSE_MS;
      }
    }
    return this.memory.increment(...args);
  }

  close(): void {
    this.memory.onApplicationShutdown();
    this.redis?.disconnect();
  }
}
