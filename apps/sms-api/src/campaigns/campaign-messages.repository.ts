import { Injectable } from '@nestjs/common';
import type { QueuedAgain, WaitingMessage } from '@heliograph/campaigns';
import { clientOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { SEND_QUEUE } from '../sending/send-queue';

/** The messages of a campaign that were accepted and have not left. */
@Injectable()
export class CampaignMessagesRepository {
  constructor(private readonly pool: Pool) {}

  /** The newest messages are sent last, so the search starts with them. */
  async hasWaiting(campaignId: string): Promise<boolean> {
    const { rows } = await this.pool.query(
      `SELECT FROM sms.messages WHERE campaign_id = $1 AND status IN ('queued', 'scheduled') ORDER BY id DESC LIMIT 1`,
      [campaignId],
    );
    return rows.length > 0;
  }

  /** The waiting messages with ids after `after`, in order. */
  async waiting(
    transaction: EntityManager,
    campaignId: string,
    after: string,
    limit: number,
  ): Promise<WaitingMessage[]> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<WaitingMessage>(
      `SELECT id, recipient AS address FROM sms.messages
       WHERE campaign_id = $1 AND id > $2 AND status IN ('queued', 'scheduled') ORDER BY id LIMIT $3`,
      [campaignId, after, limit],
    );
    return rows;
  }

  async requeue(transaction: EntityManager, messages: readonly QueuedAgain[]): Promise<void> {
    const client = await clientOf(transaction);
    const values = [messages.map(({ id }) => id), messages.map(({ dueAt }) => dueAt), SEND_QUEUE];
    await client.query('SELECT sms.requeue_waiting($1, $2, $3)', values);
  }

  async cancel(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<string | null> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<{ last: string | null }>('SELECT sms.cancel_campaign($1, $2, $3) AS last', [
      campaignId,
      after,
      limit,
    ]);
    return rows[0]?.last ?? null;
  }
}
