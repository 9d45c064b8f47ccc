import { Inject, Injectable, BeforeApplicationShutdown } from '@nestjs/common';
import { poolOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { ApiKeyUse } from './api-key.entity';

const WRITE_EVERY_MS = 5_000;

/** Notes when keys are used, and writes it down every few seconds: a use costs the caller nothing. */
@Injectable()
export class KeyUses implements BeforeApplicationShutdown {
  private pending = new Map<string, Date>();
  private readonly timer: NodeJS.Timeout;

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY_MS);
    this.timer.unref();
  }

  note(keyId: string): void {
    this.pending.set(keyId, new Date());
  }

  /** The last use before now that this process or the database knows of. */
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
      await poolOf(this.dataSource).query(
        `INSERT INTO auth.api_key_uses (api_key_id, last_used_at)
         SELECT * FROM unnest($1::uuid[], $2::timestamptz[])
         ON CONFLICT (api_key_id) DO UPDATE SET last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`,
        [[...uses.keys()], [...uses.values()]],
      );
    } catch {
      // Worth a second try, not an error: newer notes win.
      this.pending = new Map([...uses, ...this.pending]);
    }
  }
}
