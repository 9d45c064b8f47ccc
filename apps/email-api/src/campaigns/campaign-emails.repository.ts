import { Injectable } from '@nestjs/common';
import type { QueuedAgain, WaitingMessage } from '@heliograph/campaigns';
import { clientOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

const WAITING = `
  FROM email.messages AS m JOIN email.recipients AS r ON r.message_id = m.id
  WHERE m.campaign_id = $1 AND r.state IN ('waiting', 'sending', 'deferred')`;

/** The emails of a campaign that were accepted and have not left. */
@Injectable()
export class CampaignEmailsRepository {
  constructor(private readonly pool: Pool) {}

  /** The newest emails are sent last, so the search starts with them. */
  async hasWaiting(campaignId: string): Promise<boolean> {
    const { rows } = await this.pool.query(`SELECT ${WAITING} ORDER BY m.id DESC LIMIT 1`, [campaignId]);
    return rows.length > 0;
  }

  /** The waiting emails with ids after `after`, in order. */
  async waiting(
    transaction: EntityManager,
    campaignId: string,
    after: string,
    limit: number,
  ): Promise<WaitingMessage[]> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<WaitingMessage>(
      `SELECT m.id, r.address ${WAITING} AND m.id > $2 ORDER BY m.id LIMIT $3`,
      [campaignId, after, limit],
    );
    return rows;
  }

  async requeue(transaction: EntityManager, emails: readonly QueuedAgain[]): Promise<void> {
    const client = await clientOf(transaction);
    const values = [emails.map(({ id }) => id), emails.map(({ dueAt }) => dueAt)];
    await client.query('SELECT email.requeue_waiting($1, $2)', values);
  }

  async cancel(transaction: EntityManager, campaignId: string, after: string, limit: number): Promise<string | null> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<{ last: string | null }>('SELECT email.cancel_campaign($1, $2, $3) AS last', [
      campaignId,
      after,
      limit,
    ]);
    return rows[0]?.last ?? null;
  }
}
