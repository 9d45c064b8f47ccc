import { Inject, Injectable } from '@nestjs/common';
import { CONTENT_RETENTION_MS, ContentRetention, firstIdOf } from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { ChatappApiConfig } from '../chatapp-api.config';

const DAY_MS = 24 * 60 * 60_000;
/** Unmatched statuses are deleted after this time. The provider repeats a status for seven days. */
const UNMATCHED_DAYS = 8;

/** Deletes messages, records of files and unmatched statuses past their retention period, and contents after their own retention period. */
@Injectable()
export class RetentionService {
  private readonly bodies: ContentRetention;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
  ) {
    this.bodies = new ContentRetention(pool, {
      table: 'chatapp.messages',
      days: config.CHATAPP_BODY_RETENTION_DAYS,
      empty: 'payload = NULL',
      where: 'payload IS NOT NULL',
    });
  }

  @Periodic({ everyMs: CONTENT_RETENTION_MS, role: 'worker' })
  async deleteBodies(stopping: AbortSignal): Promise<void> {
    await this.bodies.run(stopping);
  }

  @Periodic({ everyMs: CONTENT_RETENTION_MS, role: 'worker', atStart: true })
  async deleteOldRows(stopping: AbortSignal): Promise<void> {
    const oldest = firstIdOf(new Date(Date.now() - this.config.CHATAPP_RETENTION_DAYS * DAY_MS));
    for (let count = 1; count > 0 && !stopping.aborted;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM chatapp.messages WHERE id = ANY(ARRAY(
           SELECT id FROM chatapp.messages WHERE id < $1 ORDER BY id LIMIT 2000))`,
        [oldest],
      );
      count = rowCount ?? 0;
    }
    await this.pool.query(
      `DELETE FROM chatapp.media WHERE id = ANY (ARRAY(
         SELECT id FROM chatapp.media WHERE created_at < now() - $1 * interval '1 day' LIMIT 10000))`,
      [this.config.CHATAPP_RETENTION_DAYS],
    );
    await this.pool.query(
      `DELETE FROM chatapp.unmatched_statuses WHERE received_at < now() - interval '${UNMATCHED_DAYS} days'`,
    );
  }
}
