import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import Redis from 'ioredis';

type Increment = ThrottlerStorage['increment'];

/**
 * Counts in Redis over all replicas. While Redis is away it counts in this process, at once: a limit is worth
 * little enough that no call may wait or fail for it.
 */
export class LimiterStorage implements ThrottlerStorage {
  private readonly memory = new ThrottlerStorageService();
  private readonly redis: Redis | null;
  private readonly shared: ThrottlerStorageRedisService | null;

  /** `timeoutMs`: how long one count may wait for Redis. */
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
    // ioredis throws what nobody listens for.
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
        // Falls through to the memory.
      }
    }
    return this.memory.increment(...args);
  }

  close(): void {
    this.memory.onApplicationShutdown();
    this.redis?.disconnect();
  }
}
