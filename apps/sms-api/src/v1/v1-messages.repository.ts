import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { MESSAGE_COLUMNS, v1SmsRecord, type SmsMessageRow } from '@heliograph/sms-catalog';
import { parseScheduledAt } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { V1SmsMessage } from './v1-send.dto';

/** Filters of a list of messages; undefined filters do not apply. */
export interface MessageFilter {
  workspace_id?: string | undefined;
  status?: string | undefined;
  recipient?: string | undefined;
  sender_id?: string | undefined;
  campaign_id?: string | undefined;
  reference?: string | undefined;
  /** Half-open range of the creation time. */
  from?: string | undefined;
  until?: string | undefined;
}

const EQUAL = ['workspace_id', 'status', 'recipient', 'sender_id', 'campaign_id', 'reference'] as const;

@Injectable()
export class V1MessagesRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns a message of the caller's organization; a workspace-bound key finds only messages of its workspace. */
  async find({ organizationId, workspaceId }: Tenant, id: string): Promise<V1SmsMessage | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<SmsMessageRow>({
      name: 'sms-v1-message',
      text: `SELECT ${MESSAGE_COLUMNS} FROM sms.messages
        WHERE id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`,
      values: [id, organizationId, workspaceId],
    });
    return rows[0] ? v1SmsRecord(rows[0]) : null;
  }

  /** Returns messages sorted by creation time, newest first. */
  async list({ organizationId }: Tenant, filter: MessageFilter, page: Page): Promise<PageOf<V1SmsMessage>> {
    const values: unknown[] = [organizationId];
    const conditions = ['organization_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value === undefined || value === null) return;
      values.push(value);
      conditions.push(`${condition} $${values.length}`);
    };
    for (const column of EQUAL) add(`${column} =`, filter[column]);
    add('created_at >=', instantOf(filter.from));
    add('created_at <', instantOf(filter.until));
    add('id <', page.after);
    const { rows } = await this.pool.query<SmsMessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM sms.messages WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${page.limit + 1}`,
      values,
    );
    return toPage(rows.map(v1SmsRecord), page, ({ id }) => id);
  }
}

/** PostgreSQL does not accept every offset of RFC 3339. */
function instantOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseScheduledAt(text)?.timestamp;
}
