import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Repository } from 'typeorm';
import { ApiKeyUse } from './api-key.entity';

const WRITE_EVERY_MS = 5_000;

/** Records when API keys are used, and writes it every few seconds, so that requests do not wait for it. */
@Injectable()
export class KeyUses implements BeforeApplicationShutdown {
  private pending = new Map<string, Date>();

  constructor(
    @InjectRepository(ApiKeyUse) private readonly uses: Repository<ApiKeyUse>,
    private readonly pool: Pool,
  ) {}

  note(keyId: string): void {
    this.pending.set(keyId, new Date());
  }

  /** The last use known to this process or the database. */
  async lastUse(keyId: string): Promise<Date | null> {
    const noted = this.pending.get(keyId);
    const stored = await this.uses.findOneBy({ apiKeyId: keyId });
    if (!noted || !stored) return noted ?? stored?.lastUsedAt ?? null;
    return noted > stored.lastUsedAt ? noted : stored.lastUsedAt;
  }

  async beforeApplicationShutdown(): Promise<void> {
    // The last uses are lost if the database is unavailable now.
    await this.write().catch(() => undefined);
  }

  /** A failed write is repeated with the next one; newer uses take precedence. */
  @Periodic({ everyMs: WRITE_EVERY_MS })
  async write(): Promise<void> {
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
    } catch (error) {
      this.pending = new Map([...uses, ...this.pending]);
      throw error;
    }
  }
}
