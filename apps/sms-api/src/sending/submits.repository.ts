import { Injectable } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import type { SmsEncoding } from '@heliograph/sms-text';
import { Pool } from 'pg';
import { ReceiptLag, type LagRow } from '../receipts/receipt-lag';

export interface ClaimedMessage {
  id: string;
  /**
   * Number of submits, including this one. Above 1, an earlier submit received no response and the carrier may have the
   * message.
   */
  submits: number;
  header: string;
  recipient: string;
  country: string;
  body: string;
  encoding: SmsEncoding;
  flash: boolean;
  dlt_entity_id: string | null;
  dlt_template_id: string | null;
}

export type Claim =
  | ({ outcome: 'claimed' } & ClaimedMessage)
  /** Another worker holds the claim for this many milliseconds. */
  | { outcome: 'busy'; busy_ms: number }
  /** The message is final or does not exist. */
  | { outcome: 'over' };

/** A submit that the carrier did not accept. */
export interface SubmitAttempt {
  /** RFC 3339 */
  at: string;
  upstream: string;
  outcome: 'throttled' | 'refused' | 'given_up' | 'held' | 'unresolved';
  error: string;
  /** The throttled part. */
  part?: number;
  /** The ids of the parts that the carrier accepted before. */
  upstream_ids?: string[];
}

/** The outcome of a submit; `sms.conclude_submits` defines the effect of each outcome. */
export interface SubmitRecord {
  id: string;
  outcome: 'sent' | 'refused' | 'given_up' | 'held' | 'unresolved' | 'released';
  carrier: string | null;
  upstream_ids: string[];
  error: string | null;
  /** RFC 3339 */
  at: string;
  /** Null if the carrier accepted the message at once, as it does most. */
  attempts: SubmitAttempt[] | null;
}

/** Claims messages and records submits, in group commits. */
@Injectable()
export class SubmitsRepository {
  private readonly claims: GroupCommit<{ id: string; leaseMs: number }, Claim>;
  private readonly records: GroupCommit<SubmitRecord, void>;

  constructor(pool: Pool, lag: ReceiptLag) {
    this.claims = new GroupCommit<{ id: string; leaseMs: number }, Claim>({
      maxQueue: Infinity,
      flush: async (wanted) => {
        const { rows } = await pool.query<Claim & { id: string }>({
          name: 'sms-claim',
          text: 'SELECT * FROM sms.claim($1, $2)',
          values: [wanted.map(({ id }) => id), wanted.map(({ leaseMs }) => leaseMs)],
        });
        // Reversed, because claimed rows come first and must take precedence in the map.
        const byId = new Map(rows.reverse().map((row) => [row.id, row]));
        const given = new Set<string>();
        return wanted.map(({ id, leaseMs }): Claim => {
          // If a batch contains two events of one message, only the first event receives the claim.
          const claim = given.has(id) ? ({ outcome: 'busy', busy_ms: leaseMs } as const) : byId.get(id);
          given.add(id);
          return claim ?? { outcome: 'over' };
        });
      },
    });
    this.records = new GroupCommit<SubmitRecord, void>({
      maxQueue: Infinity,
      flush: async (records) => {
        const { rows } = await pool.query<LagRow>({
          name: 'sms-conclude-submits',
          text: 'SELECT lag_seconds FROM sms.conclude_submits($1)',
          values: [JSON.stringify(records)],
        });
        lag.observe(rows);
        return records.map(() => undefined);
      },
    });
  }

  claim(id: string, leaseMs: number): Promise<Claim> {
    return this.claims.submit({ id, leaseMs });
  }

  record(record: SubmitRecord): Promise<void> {
    return this.records.submit(record);
  }

  async drain(): Promise<void> {
    await this.claims.drain();
    await this.records.drain();
  }
}
