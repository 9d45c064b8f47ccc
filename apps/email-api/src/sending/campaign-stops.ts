import { Injectable } from '@nestjs/common';
import { queryQuietly } from '@heliograph/messaging';
import { Pool } from 'pg';

/** How long the state of a campaign is reused, so that a mail server with many connections does not cause a query per mail. */
const FRESH_MS = 250;

interface State {
  readAt: number;
  isStopped: Promise<boolean>;
}

/**
 * Finds the campaigns that were paused or canceled while their mails wait for a connection. `email.begin_data` decides
 * whether a mail may leave; this check withdraws mails without a conversation with the mail server.
 */
@Injectable()
export class CampaignStops {
  private readonly states = new Map<string, State>();

  constructor(private readonly pool: Pool) {}

  isStopped(campaignId: string): Promise<boolean> {
    const now = performance.now();
    const known = this.states.get(campaignId);
    if (known && now - known.readAt < FRESH_MS) return known.isStopped;
    for (const [id, { readAt }] of this.states) if (now - readAt >= FRESH_MS) this.states.delete(id);
    const isStopped = this.read(campaignId);
    this.states.set(campaignId, { readAt: now, isStopped });
    return isStopped;
  }

  /** False while the database is unavailable: `email.begin_data` checks again. */
  private async read(campaignId: string): Promise<boolean> {
    try {
      const sql = 'SELECT campaigns.is_stopped($1) AS stopped';
      const [row] = await queryQuietly<{ stopped: boolean }>(this.pool, sql, [campaignId]);
      return row?.stopped ?? false;
    } catch {
      return false;
    }
  }
}
