import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { isId, messagingTimestampSql } from '@heliograph/database';
import type { PendingResponses } from '@heliograph/idempotency';
import { Pool } from 'pg';

import type { LogEntry, SendResponse, StatusRecord } from './records.dto';

/** Restricts to the organization and, for an API key that is bound to a workspace, to that workspace. */
const OF_CALLER = 'm.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)';

const LOG_COLUMNS = `
  m.id, m.upstream_id AS "chatappMessageId", m.direction, m.recipient AS "to", m.sender AS "from", m.type,
  m.template_name AS "templateName", m.category, m.status`;
const MONEY_COLUMNS = 'm.price, m.currency';

const STATUS_COLUMNS = `${LOG_COLUMNS}, m.error, ${MONEY_COLUMNS}, m.is_charged AS "creditsCharged",
  ${messagingTimestampSql('m.created_at')} AS "createdAt", ${messagingTimestampSql('m.sent_at')} AS "sentAt",
  ${messagingTimestampSql('m.delivered_at')} AS "deliveredAt", ${messagingTimestampSql('m.read_at')} AS "readAt",
  ${messagingTimestampSql('m.failed_at')} AS "failedAt"`;

@Injectable()
export class MessagesRepository implements PendingResponses<SendResponse> {
  constructor(private readonly pool: Pool) {}

  /** Finds a message of either direction by our id or by the provider's id. */
  async status(caller: Tenant, id: string): Promise<StatusRecord | null> {
    const tenant = [caller.organizationId, caller.workspaceId];
    if (isId(id)) {
      const { rows } = await this.pool.query<StatusRecord>({
        name: 'chatapp-status',
        text: `SELECT ${STATUS_COLUMNS} FROM chatapp.messages AS m WHERE m.id = $1 AND ${OF_CALLER}`,
        values: [id, ...tenant],
      });
      if (rows[0]) return rows[0];
    }
    // PostgreSQL text cannot contain NUL.
    if (id.includes('\0')) return null;
    // Queries each direction separately, because each has its own index.
    const { rows } = await this.pool.query<StatusRecord>({
      name: 'chatapp-status-upstream',
      text: `
        SELECT ${STATUS_COLUMNS} FROM chatapp.messages AS m
        WHERE m.upstream_id = $1 AND m.upstream_id IS NOT NULL AND m.direction = 'outbound' AND ${OF_CALLER}
        UNION ALL
        SELECT ${STATUS_COLUMNS} FROM chatapp.messages AS m
        WHERE m.upstream_id = $1 AND m.direction = 'inbound' AND ${OF_CALLER}
        LIMIT 1`,
      values: [id, ...tenant],
    });
    return rows[0] ?? null;
  }

  /** Returns messages sorted by creation time, newest first. */
  async log(organizationId: string, workspaceIds: string[], limit: number): Promise<LogEntry[]> {
    const { rows } = await this.pool.query<LogEntry>({
      name: 'chatapp-log',
      text: `
        SELECT ${LOG_COLUMNS}, ${MONEY_COLUMNS}, ${messagingTimestampSql('m.created_at')} AS "createdAt"
        FROM unnest($2::uuid[]) AS w (id)
        CROSS JOIN LATERAL (
          SELECT * FROM chatapp.messages AS m
          WHERE m.workspace_id = w.id AND m.organization_id = $1
          ORDER BY m.id DESC LIMIT $3) AS m
        ORDER BY m.id DESC LIMIT $3`,
      values: [organizationId, workspaceIds, limit],
    });
    return rows;
  }

  /** Whether the message is an inbound message of the organization. */
  async hasInbound(caller: Tenant, upstreamId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `SELECT FROM chatapp.messages AS m WHERE m.upstream_id = $1 AND m.direction = 'inbound' AND ${OF_CALLER}`,
      [upstreamId, caller.organizationId, caller.workspaceId],
    );
    return rowCount === 1;
  }

  /** The response to a send whose process crashed, derived from the stored state of the message. */
  async responseOf(id: string): Promise<SendResponse | 'running' | 'undone'> {
    const { rows } = await this.pool.query<Omit<SendResponse, 'ok'> & { status: string }>(
      `SELECT m.id, m.upstream_id AS "chatappMessageId", m.recipient AS "to", m.type, m.category, m.is_free AS free,
         m.price, m.currency, m.is_charged AS charged, m.status
       FROM chatapp.messages AS m WHERE m.id = $1`,
      [id],
    );
    const [message] = rows;
    if (!message) return 'running';
    const { status, ...answer } = message;
    if (answer.chatappMessageId) return { ok: true, ...answer };
    return status === 'failed' ? 'undone' : 'running';
  }
}
