import { Inject, Injectable } from '@nestjs/common';
import { firstIdOf } from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BotRuntimeConfig } from '../bot-runtime.config';

const DAY_MS = 86_400_000;
const BATCH = 500;
/** Per run, so that a backlog does not delay the start of the service. */
const MAX_BATCHES = 100;

/**
 * Deletes conversations without recent messages, together with their messages. Form submissions are retained. Ids begin
 * with their creation time, so the candidates have the smallest ids.
 */
const DELETE_BATCH = `
  WITH old AS (
    SELECT id FROM bots.conversations WHERE id < $1 AND last_message_at < $2
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), deleted AS (
    DELETE FROM bots.messages WHERE conversation_id IN (SELECT id FROM old)
  )
  DELETE FROM bots.conversations WHERE id IN (SELECT id FROM old)`;

@Injectable()
export class RetentionService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: BotRuntimeConfig,
  ) {}

  @Periodic({ everyMs: 10 * 60_000, role: 'worker', atStart: true })
  async deleteOldConversations(stopping: AbortSignal): Promise<void> {
    const oldest = new Date(Date.now() - this.config.BOT_RETENTION_DAYS * DAY_MS);
    for (let batch = 0; batch < MAX_BATCHES && !stopping.aborted; batch++) {
      const { rowCount } = await this.pool.query(DELETE_BATCH, [firstIdOf(oldest), oldest]);
      if ((rowCount ?? 0) < BATCH) return;
    }
  }
}
