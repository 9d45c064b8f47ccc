import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import Redis from 'ioredis';

type Increment = ThrottlerStorage['increment'];

/**
 * Counts in Redis, shared by all replicas. While Redis is unavailable it counts in this process, so that calls neither
 * wait nor fail because of the rate limit.
 */
export class LimiterStorage implements ThrottlerStorage {
  private readonly memory = new ThrottlerStorageService();
  private readonly redis: Redis | null;
  private readonly shared: ThrottlerStorageRedisService | null;

  /** `timeoutMs`: maximum time to wait for Redis per count. */
  constructor(redisUrl: string | undefined, timeoutMs: number) {
    this.redis = redisUrl
      ? new Redis(redisUrl, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          commandTimeout: timeoutMs,
          connectTimeout: 2_000,
          retryStrategy: (times) => Math.min(2_000, times * 100),
        })
      : null;
    // Without a listener, an `error` event of ioredis would end the process.
    this.redis?.on('error', () => undefined);
    this.shared = this.redis ? new ThrottlerStorageRedisService(this.redis) : null;
  }

  get usesRedis(): boolean {
    return this.redis?.status === 'ready';
  }

  async increment(...args: Parameters<Increment>): ReturnType<Increment> {
    if (this.shared && this.usesRedis) {
      try {
        return await this.shared.increment(...args);
      } catch {
        // Falls back to the in-process counter.
      }
    }
    return this.memory.increment(...args);
  }

  close(): void {
    this.memory.onApplicationShutdown();
    this.redis?.disconnect();
  }
}
