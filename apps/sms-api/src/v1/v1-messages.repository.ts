import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { v1Timestamp } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { V1SmsMessage } from './v1-send.dto';

/** Conditions of a list of messages; undefined ones do not apply. */
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

interface MessageRow {
  id: string;
  status: V1SmsMessage['status'];
  recipient: string;
  sender_id: string;
  header: string;
  template_id: string | null;
  body: string;
  encoding: V1SmsMessage['encoding'];
  segments: number;
  credits_cost: number;
  flash: boolean;
  campaign_id: string | null;
  reference: string | null;
  last_error: string | null;
  scheduled_at: Date | null;
  created_at: Date;
  sent_at: Date | null;
  finished_at: Date | null;
}

const COLUMNS = `id, status, recipient, sender_id, header, template_id, body, encoding, segments, credits_cost, flash,
  campaign_id, reference, last_error, scheduled_at, created_at, sent_at, finished_at`;
const EQUAL = ['workspace_id', 'status', 'recipient', 'sender_id', 'campaign_id', 'reference'] as const;

@Injectable()
export class V1MessagesRepository {
  constructor(private readonly pool: Pool) {}

  /** Restricted to the organization of the caller and, for a workspace-bound key, to that workspace. */
  async find({ organizationId, workspaceId }: Tenant, id: string): Promise<V1SmsMessage | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<MessageRow>({
      name: 'sms-v1-message',
      text: `SELECT ${COLUMNS} FROM sms.messages
        WHERE id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`,
      values: [id, organizationId, workspaceId],
    });
    return rows[0] ? toRecord(rows[0]) : null;
  }

  /** Newest first. */
  async list({ organizationId }: Tenant, filter: MessageFilter, page: Page): Promise<PageOf<V1SmsMessage>> {
    const values: unknown[] = [organizationId];
    const conditions = ['organization_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value === undefined || value === null) return;
      values.push(value);
      conditions.push(`${condition} $${values.length}`);
    };
    for (const column of EQUAL) add(`${column} =`, filter[column]);
    add('created_at >=', filter.from);
    add('created_at <', filter.until);
    add('id <', page.after);
    const { rows } = await this.pool.query<MessageRow>(
      `SELECT ${COLUMNS} FROM sms.messages WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${page.limit + 1}`,
      values,
    );
    return toPage(rows.map(toRecord), page, ({ id }) => id);
  }
}

function toRecord(row: MessageRow): V1SmsMessage {
  return {
    id: row.id,
    status: row.status,
    to: row.recipient,
    sender_id: row.sender_id,
    sender: row.header,
    template_id: row.template_id,
    message: row.body,
    encoding: row.encoding,
    segments: row.segments,
    credits_cost: row.credits_cost,
    flash: row.flash,
    campaign_id: row.campaign_id,
    reference: row.reference,
    error: row.last_error === null ? null : { code: 'DELIVERY_FAILED', message: row.last_error },
    scheduled_at: v1Timestamp(row.scheduled_at),
    created_at: v1Timestamp(row.created_at),
    sent_at: v1Timestamp(row.sent_at),
    delivered_at: row.status === 'delivered' ? v1Timestamp(row.finished_at) : null,
  };
}
