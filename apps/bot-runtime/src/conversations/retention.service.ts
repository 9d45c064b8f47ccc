import { Inject, Injectable } from '@nestjs/common';
import { firstIdOf, inIdRanges } from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BotRuntimeConfig } from '../bot-runtime.config';

const DAY_MS = 86_400_000;
const BATCH = 500;
/** Maximum number of deletions per run, so that a backlog does not delay the start of the service. */
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

const DELETE_SUBMISSIONS = 'DELETE FROM bots.submissions WHERE id > $1 AND id <= $2';
const DELETE_CONTACTS = `
  DELETE FROM bots.contacts AS c WHERE c.id > $1 AND c.id <= $2 AND c.updated_at < $3
    AND NOT EXISTS (SELECT FROM bots.submissions AS s WHERE s.contact_id = c.id)
    AND NOT EXISTS (SELECT FROM bots.conversations AS v WHERE v.contact_id = c.id)`;

@Injectable()
export class RetentionService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: BotRuntimeConfig,
  ) {}

  @Periodic({ everyMs: 10 * 60_000, role: 'worker', atStart: true })
  async deleteOldConversations(stopping: AbortSignal): Promise<void> {
    const oldest = daysAgo(this.config.BOT_RETENTION_DAYS);
    for (let batch = 0; batch < MAX_BATCHES && !stopping.aborted; batch++) {
      const { rowCount } = await this.pool.query(DELETE_BATCH, [firstIdOf(oldest), oldest]);
      if ((rowCount ?? 0) < BATCH) return;
    }
  }

  @Periodic({ everyMs: 60 * 60_000, role: 'worker' })
  async deleteOldLeads(until: AbortSignal): Promise<void> {
    const { BOT_SUBMISSION_RETENTION_DAYS, BOT_CONTACT_RETENTION_DAYS } = this.config;
    const submitted = daysAgo(BOT_SUBMISSION_RETENTION_DAYS);
    const changed = daysAgo(BOT_CONTACT_RETENTION_DAYS);
    const deleteSubmissions = async (after: string, upTo: string): Promise<void> => {
      await this.pool.query(DELETE_SUBMISSIONS, [after, upTo]);
    };
    await inIdRanges(this.pool, 'bots.submissions', deleteSubmissions, { before: firstIdOf(submitted), until });
    const deleteContacts = async (after: string, upTo: string): Promise<void> => {
      await this.pool.query(DELETE_CONTACTS, [after, upTo, changed]);
    };
    await inIdRanges(this.pool, 'bots.contacts', deleteContacts, { before: firstIdOf(changed), until });
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
