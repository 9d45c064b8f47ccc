import { Injectable } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import type { SmsEncoding } from '@heliograph/sms-text';
import { Pool } from 'pg';
import type { SubmitLane } from '../carriers/smpp/pacing/slot-waiters';
import { ReceiptLag, type LagRow } from '../receipts/receipt-lag';

export interface ClaimedMessage {
  id: string;
  lane: SubmitLane;
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
  lane: SubmitLane;
  leaseMs: number;
}

interface WantedRecord {
  lane: SubmitLane;
  record: SubmitRecord;
}

/** The group commits of some kinds of messages. */
class SubmitCommits {
  readonly claims: GroupCommit<WantedClaim, Claim>;
  readonly records: GroupCommit<WantedRecord, void>;

  constructor(pool: Pool, lag: ReceiptLag) {
    this.claims = new GroupCommit<WantedClaim, Claim>({
      laneOf: organizationOf,
      maxQueue: Infinity,
      flush: async (wanted) => {
        const { rows } = await pool.query<StoredClaim & { id: string }>({
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
      },
    });
    this.records = new GroupCommit<WantedRecord, void>({
      laneOf: organizationOf,
      maxQueue: Infinity,
      flush: async (records) => {
        const { rows } = await pool.query<LagRow>({
          name: 'sms-conclude-submits',
          text: 'SELECT lag_seconds FROM sms.conclude_submits($1)',
          values: [JSON.stringify(records.map(({ record }) => record))],
        });
        lag.observe(rows);
        return records.map(() => undefined);
      },
    });
  }

  async drain(): Promise<void> {
    await this.claims.drain();
    await this.records.drain();
  }
}

/**
 * Claims messages and records submits, in group commits that take the messages of the organizations in turn. Single messages have
 * group commits of their own, so that they do not wait for a large commit of bulk messages.
 */
@Injectable()
export class SubmitsRepository {
  private readonly single: SubmitCommits;
  private readonly others: SubmitCommits;

  constructor(pool: Pool, lag: ReceiptLag) {
    this.single = new SubmitCommits(pool, lag);
    this.others = new SubmitCommits(pool, lag);
  }

  claim(id: string, leaseMs: number, lane: SubmitLane): Promise<Claim> {
    return this.commitsOf(lane).claims.submit({ id, lane, leaseMs });
  }

  record(record: SubmitRecord, lane: SubmitLane): Promise<void> {
    return this.commitsOf(lane).records.submit({ lane, record });
  }

  async drain(): Promise<void> {
    await this.single.drain();
    await this.others.drain();
  }

  private commitsOf({ kind }: SubmitLane): SubmitCommits {
    return kind === 'single' ? this.single : this.others;
  }
}

function organizationOf({ lane }: { lane: SubmitLane }): string {
  return lane.organizationId ?? '';
}
