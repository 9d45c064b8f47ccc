import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { post } from '@heliograph/credits';
import { isId, messagingTimestampSql, poolOf } from '@heliograph/database';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { StatusRecord } from './message-records.dto';

const STATUS_COLUMNS = `
  id AS "messageId", status, recipient AS "to", body AS "renderedBody", encoding, credits_cost AS "creditsCost",
  last_error AS "lastError", ${messagingTimestampSql('scheduled_at')} AS "scheduledAt",
  ${messagingTimestampSql('sent_at')} AS "sentAt", ${messagingTimestampSql('created_at')} AS "createdAt"`;

/** The organization's, and for a key that is bound to a workspace that workspace's. */
const OF_CALLER = 'id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)';

@Injectable()
export class MessagesRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async find(caller: Tenant, id: string): Promise<StatusRecord | null> {
    if (!isId(id)) return null;
    const { rows } = await poolOf(this.dataSource).query<StatusRecord>({
      name: 'sms-status',
      text: `SELECT ${STATUS_COLUMNS} FROM sms.messages WHERE ${OF_CALLER}`,
      values: [id, caller.organizationId, caller.workspaceId],
    });
    return rows[0] ?? null;
  }

  /**
   * Cancels a scheduled message that no worker has yet, takes its event back and refunds it, all or nothing. Answers
   * null when there is no such message that can be canceled.
   */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<StatusRecord | null> {
    if (!isId(id)) return null;
    const client = await poolOf(this.dataSource).connect();
    try {
      await client.query('BEGIN');
      const canceled = await this.cancelWithin(client, caller, id, correlationId);
      await client.query('COMMIT');
      client.release();
      return canceled;
    } catch (error) {
      // The connection may be what failed; a new one is made for the next.
      client.release(true);
      throw error;
    }
  }

  private async cancelWithin(
    client: PoolClient,
    caller: Tenant,
    id: string,
    correlationId: string,
  ): Promise<StatusRecord | null> {
    const { rows } = await client.query<StatusRecord & { workspace: string }>(
      `UPDATE sms.messages SET status = 'canceled', finished_at = now()
       WHERE ${OF_CALLER} AND status = 'scheduled' AND claimed_until IS NULL
       RETURNING ${STATUS_COLUMNS}, workspace_id AS workspace`,
      [id, caller.organizationId, caller.workspaceId],
    );
    const [canceled] = rows;
    if (!canceled) return null;
    await client.query('DELETE FROM messaging.outbox WHERE id = $1', [id]);
    const { workspace, ...record } = canceled;
    if (record.creditsCost > 0) {
      await post(client, [
        {
          organizationId: caller.organizationId,
          workspaceId: workspace,
          creditType: 'sms',
          kind: 'refund',
          amount: record.creditsCost,
          reference: `sms:${id}`,
          correlationId,
        },
      ]);
    }
    return record;
  }
}
