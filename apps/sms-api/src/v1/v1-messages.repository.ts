import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import type { SmsRecord } from '@heliograph/contracts';
import { isId, recordOf, toPage, type Page, type PageOf, type RecordRow } from '@heliograph/database';
import { parseScheduledAt } from '@heliograph/service-kit';
import { SMS_SELECT } from '@heliograph/sms-catalog';
import { Pool } from 'pg';

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
  async find({ organizationId, workspaceId }: Tenant, id: string): Promise<SmsRecord | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<RecordRow<SmsRecord>>({
      name: 'sms-v1-message',
      text: `${SMS_SELECT}
        WHERE m.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)`,
      values: [id, organizationId, workspaceId],
    });
    return rows[0] ? recordOf<SmsRecord>(rows[0]) : null;
  }

  /** Returns messages sorted by creation time, newest first. */
  async list({ organizationId }: Tenant, filter: MessageFilter, page: Page): Promise<PageOf<SmsRecord>> {
    const values: unknown[] = [organizationId];
    const conditions = ['m.organization_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value === undefined || value === null) return;
      values.push(value);
      conditions.push(`${condition} $${values.length}`);
    };
    for (const column of EQUAL) add(`m.${column} =`, filter[column]);
    add('m.created_at >=', instantOf(filter.from));
    add('m.created_at <', instantOf(filter.until));
    add('m.id <', page.after);
    const { rows } = await this.pool.query<RecordRow<SmsRecord>>(
      `${SMS_SELECT} WHERE ${conditions.join(' AND ')} ORDER BY m.id DESC LIMIT ${page.limit + 1}`,
      values,
    );
    return toPage(rows.map(recordOf<SmsRecord>), page, ({ id }) => id);
  }
}

/** PostgreSQL does not accept every offset of RFC 3339. */
function instantOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseScheduledAt(text)?.timestamp;
}
