import { Injectable, BeforeApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ApiKeyUse } from './api-key.entity';

const WRITE_EVERY_MS = 5_000;

/** Records when API keys are used, and writes it every few seconds, so that requests do not wait for it. */
@Injectable()
export class KeyUses implements BeforeApplicationShutdown {
  private pending = new Map<string, Date>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
  ) {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  note(keyId: string): void {
    this.pending.set(keyId, new Date());
  }

  /** The last use known to this process or the database. */
  async lastUse(keyId: string): Promise<Date | null> {
    const noted = this.pending.get(keyId);
    const stored = await this.dataSource.getRepository(ApiKeyUse).findOneBy({ apiKeyId: keyId });
    if (!noted || !stored) return noted ?? stored?.lastUsedAt ?? null;
    return noted > stored.lastUsedAt ? noted : stored.lastUsedAt;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.pending = new Map();
    try {
      await this.pool.query(
        `INSERT INTO auth.api_key_uses (api_key_id, last_used_at)
         SELECT * FROM unnest($1::uuid[], $2::timestamptz[])
         ON CONFLICT (api_key_id) DO UPDATE SET last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`,
        [[...uses.keys()], [...uses.values()]],
      );
    } catch {
      // Retried with the next flush; newer uses take precedence.
      this.pending = new Map([...uses, ...this.pending]);
    }
  }
}
