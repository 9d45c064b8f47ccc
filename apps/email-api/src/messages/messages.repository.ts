import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { post } from '@heliograph/credits';
import { inTransaction, isId, messagingTimestampSql } from '@heliograph/database';
import { removeFromOutbox } from '@heliograph/messaging';
import { Pool } from 'pg';
import type { DeliveryReport } from './records.dto';

/** Restricts to the organization of the caller and, for a workspace-bound key, to that workspace. */
const OF_CALLER = 'm.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)';

/**
 * The status of a report, based on the recipients that were neither skipped nor refused: `delivered` if all mails were
 * delivered, `bounced` if no mail is pending and at least one bounced.
 */
const STATUS = `
  CASE WHEN m.status NOT IN ('sending', 'sent') THEN m.status
       WHEN r.delivered = r.sent THEN 'delivered'
       WHEN r.delivered + r.bounced = r.sent THEN 'bounced'
       ELSE 'sent' END`;

@Injectable()
export class MessagesRepository {
  constructor(private readonly pool: Pool) {}

  async report(caller: Tenant, id: string): Promise<DeliveryReport | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<DeliveryReport>({
      name: 'email-report',
      text: `
        SELECT m.id, m.id AS "messageId", ${STATUS} AS status, m.from_address AS "from", r.addresses AS "to", m.subject,
          ${messagingTimestampSql('m.created_at')} AS "createdAt", coalesce(e.events, '[]') AS events
        FROM email.messages AS m
        CROSS JOIN LATERAL (
          SELECT string_agg(r.address, ', ' ORDER BY r.position) AS addresses,
            count(*) FILTER (WHERE r.state NOT IN ('failed', 'skipped')) AS sent,
            count(*) FILTER (WHERE r.outcome = 'delivered') AS delivered,
            count(*) FILTER (WHERE r.outcome = 'bounced') AS bounced
          FROM email.recipients AS r WHERE r.message_id = m.id) AS r
        CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('type', o.type, 'recipient', o.address, 'url', o.url, 'reason', o.reason,
            'occurredAt', ${messagingTimestampSql('o.at')}) ORDER BY o.at, o.id, o.position) AS events
          FROM (
            SELECT e.type, p.address, e.url, e.reason, e.occurred_at AS at, e.id, e.position
            FROM email.events AS e
            JOIN email.recipients AS p ON p.message_id = e.message_id AND p.position = e.position
            WHERE e.message_id = m.id) AS o) AS e
        WHERE ${OF_CALLER}`,
      values: [id, caller.organizationId, caller.workspaceId],
    });
    return rows[0] ?? null;
  }

  /**
   * Cancels a scheduled send that no process has started, deletes its job and refunds it in one transaction. Returns
   * false if there is no cancelable send with this id.
   */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<boolean> {
    if (!isId(id)) return false;
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ workspace: string }>(
        `UPDATE email.messages AS m SET status = 'canceled' WHERE ${OF_CALLER} AND m.status = 'scheduled'
         RETURNING m.workspace_id AS workspace`,
        [id, caller.organizationId, caller.workspaceId],
      );
      const [canceled] = rows;
      if (canceled) {
        const { rowCount } = await client.query(
          `UPDATE email.recipients SET state = 'canceled'
           WHERE message_id = $1 AND (state = 'waiting' OR state = 'deferred' AND attempts = 0)`,
          [id],
        );
        await removeFromOutbox(client, id);
        await post(client, [
          {
            organizationId: caller.organizationId,
            workspaceId: canceled.workspace,
            creditType: 'email',
            kind: 'refund',
            amount: rowCount ?? 0,
            reference: `email:${id}`,
            correlationId,
          },
        ]);
      }
      return canceled !== undefined;
    });
  }
}
