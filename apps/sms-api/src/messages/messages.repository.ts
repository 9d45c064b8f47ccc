import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { post } from '@heliograph/credits';
import { inTransaction, isId, messagingTimestampSql } from '@heliograph/database';
import type { WorkspaceOwner } from '@heliograph/tenancy';
import { removeFromOutbox } from '@heliograph/messaging';
import { Pool, type PoolClient } from 'pg';

import type { StatusRecord } from './message-records.dto';

const STATUS_COLUMNS = `
  id AS "messageId", status, recipient AS "to", body AS "renderedBody", encoding, credits_cost AS "creditsCost",
  last_error AS "lastError", ${messagingTimestampSql('scheduled_at')} AS "scheduledAt",
  ${messagingTimestampSql('sent_at')} AS "sentAt", ${messagingTimestampSql('created_at')} AS "createdAt"`;

/** Restricts to the organization of the caller and, for a workspace-bound key, to that workspace. */
const OF_CALLER = 'id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)';

@Injectable()
export class MessagesRepository {
  constructor(private readonly pool: Pool) {}

  async find(caller: Tenant, id: string): Promise<StatusRecord | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<StatusRecord>({
      name: 'sms-status',
      text: `SELECT ${STATUS_COLUMNS} FROM sms.messages WHERE ${OF_CALLER}`,
      values: [id, caller.organizationId, caller.workspaceId],
    });
    return rows[0] ?? null;
  }

  /**
   * Cancels a scheduled message that no worker has claimed, deletes its event and refunds it in one transaction.
   * Returns null if there is no cancelable message with this id.
   */
  async cancel(caller: WorkspaceOwner, id: string, correlationId: string): Promise<StatusRecord | null> {
    if (!isId(id)) return null;
    return inTransaction(this.pool, (client) => this.cancelWithin(client, caller, id, correlationId));
  }

  private async cancelWithin(
    client: PoolClient,
    caller: WorkspaceOwner,
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
    await removeFromOutbox(client, id);
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
