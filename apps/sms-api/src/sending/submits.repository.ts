import { Injectable } from '@nestjs/common';
import type { JobLane } from '@heliograph/contracts';
import { CommitPools } from '@heliograph/database';
import { JobCommits } from '@heliograph/messaging';
import type { SmsEncoding } from '@heliograph/sms-text';
import type { Pool } from 'pg';
import { ReceiptLag, type LagRow } from '../receipts/receipt-lag';

export interface ClaimedMessage {
  id: string;
  lane: JobLane;
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

type ClaimOf<Message> =
  | ({ outcome: 'claimed' } & Message)
  /** Another worker holds the claim for this many milliseconds. */
  | { outcome: 'busy'; busy_ms: number }
  /** The message is final or does not exist. */
  | { outcome: 'over' };

export type Claim = ClaimOf<ClaimedMessage>;
type StoredClaim = ClaimOf<Omit<ClaimedMessage, 'lane'>>;

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

interface WantedClaim {
  id: string;
  lane: JobLane;
  leaseMs: number;
}

interface WantedRecord {
  lane: JobLane;
  record: SubmitRecord;
}

/** Claims messages and records submits. */
@Injectable()
export class SubmitsRepository {
  private readonly claims: JobCommits<WantedClaim, Claim>;
  private readonly records: JobCommits<WantedRecord, void>;

  constructor(pools: CommitPools, lag: ReceiptLag) {
    this.claims = new JobCommits(pools, claimAll);
    this.records = new JobCommits<WantedRecord, void>(pools, async (database, records) => {
      const { rows } = await database.query<LagRow>({
        name: 'sms-conclude-submits',
        text: 'SELECT lag_seconds FROM sms.conclude_submits($1)',
        values: [JSON.stringify(records.map(({ record }) => record))],
      });
      lag.observe(rows);
      return records.map(() => undefined);
    });
  }

  claim(id: string, leaseMs: number, lane: JobLane): Promise<Claim> {
    return this.claims.submit({ id, lane, leaseMs });
  }

  record(record: SubmitRecord, lane: JobLane): Promise<void> {
    return this.records.submit({ lane, record });
  }

  async drain(): Promise<void> {
    await this.claims.drain();
    await this.records.drain();
  }
}

async function claimAll(database: Pool, wanted: WantedClaim[]): Promise<Claim[]> {
  const { rows } = await database.query<StoredClaim & { id: string }>({
    name: 'sms-claim',
    text: 'SELECT * FROM sms.claim($1, $2)',
    values: [wanted.map(({ id }) => id), wanted.map(({ leaseMs }) => leaseMs)],
  });
  // Reversed, because claimed rows come first and must take precedence in the map.
  const byId = new Map(rows.reverse().map((row) => [row.id, row]));
  const given = new Set<string>();
  return wanted.map(({ id, lane, leaseMs }): Claim => {
    // If a batch contains two events of one message, only the first event receives the claim.
    if (given.has(id)) return { outcome: 'busy', busy_ms: leaseMs };
    given.add(id);
    const claim = byId.get(id) ?? { outcome: 'over' };
    return claim.outcome === 'claimed' ? { ...claim, lane } : claim;
  });
}
