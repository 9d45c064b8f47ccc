import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import type { EmailRecord } from '@heliograph/contracts';
import { isId, recordOf, toPage, type Page, type PageOf, type RecordRow } from '@heliograph/database';
import { EMAIL_SELECT, EMAIL_STATUS } from '@heliograph/email-catalog';
import { parseScheduledAt, v1Timestamp } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { MailComposer } from '../sending/mail-composer';
import type { V1EmailDetails, V1EmailEvent, V1Recipient } from './v1-records.dto';

/** Filters of a list of emails; undefined filters do not apply. */
export interface EmailFilter {
  workspaceId?: string | undefined;
  status?: string | undefined;
  /** Lower case. */
  to?: string | undefined;
  tag?: string | undefined;
  senderId?: string | undefined;
  campaignId?: string | undefined;
  reference?: string | undefined;
  /** Half-open range of the creation time. */
  from?: string | undefined;
  until?: string | undefined;
}

interface RecipientRow extends Omit<V1Recipient, 'message_id' | 'events'> {
  position: number;
  /** Whether a copy was or may have been handed to the mail server. */
  has_left: boolean;
  events: (Omit<V1EmailEvent, 'scope'> & { scope: string | null })[];
}

const RECIPIENTS = `
  SELECT r.position, r.address AS "to", r.kind,
    CASE WHEN r.state = 'sent' THEN coalesce(r.outcome, 'sent')
         WHEN r.state IN ('waiting', 'sending') THEN 'queued' ELSE r.state END AS status,
    r.last_error AS error, r.state = 'sent' OR r.state = 'deferred' AND r.copies > 0 AS has_left,
    (SELECT coalesce(json_agg(json_build_object('type', e.type, 'url', e.url, 'reason', e.reason,
       'scope', e.scope, 'occurred_at', e.occurred_at) ORDER BY e.occurred_at, e.id), '[]')
     FROM email.events AS e WHERE e.message_id = r.message_id AND e.position = r.position) AS events
  FROM email.recipients AS r WHERE r.message_id = $1`;

@Injectable()
export class V1MessagesRepository {
  constructor(
    private readonly pool: Pool,
    private readonly composer: MailComposer,
  ) {}

  /** Returns an email of the caller's organization; a workspace-bound key finds only emails of its workspace. */
  async find({ organizationId, workspaceId }: Tenant, id: string): Promise<V1EmailDetails | null> {
    if (!isId(id)) return null;
    const condition = 'm.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)';
    return this.detailsOf(condition, [id, organizationId, workspaceId]);
  }

  /** Returns the email of a call without a tenant filter, because the caller is already authorized. */
  ofClaim(id: string): Promise<V1EmailDetails | null> {
    return this.detailsOf('m.id = $1', [id]);
  }

  /** Returns emails sorted by creation time, newest first. */
  async list({ organizationId }: Tenant, filter: EmailFilter, page: Page): Promise<PageOf<EmailRecord>> {
    const values: unknown[] = [organizationId];
    const conditions = ['m.organization_id = $1'];
    const add = (value: unknown, condition: (parameter: string) => string): void => {
      if (value === undefined || value === null) return;
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    add(filter.workspaceId, (value) => `m.workspace_id = ${value}`);
    add(
      filter.senderId,
      (value) =>
        `m.from_address = (SELECT s.address FROM email.senders AS s WHERE s.id = ${value} AND s.organization_id = $1)`,
    );
    add(filter.campaignId, (value) => `m.campaign_id = ${value}`);
    add(filter.reference, (value) => `m.reference = ${value}`);
    add(filter.tag, (value) => `m.tags @> ARRAY[${value}]`);
    add(
      filter.to,
      (value) => `m.id IN (SELECT r.message_id FROM email.recipients AS r WHERE lower(r.address) = ${value})`,
    );
    add(instantOf(filter.from), (value) => `m.created_at >= ${value}`);
    add(instantOf(filter.until), (value) => `m.created_at < ${value}`);
    add(filter.status, (value) => `${EMAIL_STATUS} = ${value}`);
    add(page.after, (value) => `m.id < ${value}`);
    const { rows } = await this.pool.query<RecordRow<EmailRecord>>(
      `${EMAIL_SELECT} WHERE ${conditions.join(' AND ')} ORDER BY m.id DESC LIMIT ${page.limit + 1}`,
      values,
    );
    return toPage(rows.map(recordOf<EmailRecord>), page, ({ id }) => id);
  }

  /** Reads the email and its recipients with one statement, so that their statuses belong together. `$1` is the id. */
  private async detailsOf(condition: string, values: unknown[]): Promise<V1EmailDetails | null> {
    const { rows } = await this.pool.query<RecordRow<EmailRecord> & { recipientRows: RecipientRow[] }>(
      `WITH found AS (${EMAIL_SELECT} WHERE ${condition})
       SELECT f.*, (SELECT coalesce(json_agg(r ORDER BY r.position), '[]') FROM (${RECIPIENTS}) AS r) AS "recipientRows"
       FROM found AS f`,
      values,
    );
    if (!rows[0]) return null;
    const { recipientRows, ...row } = rows[0];
    const email = recordOf<EmailRecord>(row);
    const recipients = recipientRows.map(
      ({ position, to, kind, status, error, events, has_left: hasLeft }): V1Recipient => {
        return {
          to,
          kind,
          status: status === 'queued' && email.status === 'scheduled' ? 'scheduled' : status,
          message_id: hasLeft ? this.composer.messageIdOf({ id: email.id, fromAddress: email.from }, position) : null,
          error,
          events: events.map(({ scope, ...event }) => ({
            ...event,
            occurred_at: v1Timestamp(new Date(event.occurred_at)),
            ...(scope === null ? {} : { scope }),
          })),
        };
      },
    );
    return { ...email, recipients };
  }
}

/** PostgreSQL does not accept every offset of RFC 3339. */
function instantOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseScheduledAt(text)?.timestamp;
}
