import { Inject, Injectable } from '@nestjs/common';
import type { JobLane } from '@heliograph/contracts';
import { CommitPools } from '@heliograph/database';
import { JobCommits } from '@heliograph/messaging';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { EmailApiConfig } from '../email-api.config';
import { MAX_COPIES, type DueMessage, type DueRecipient } from './sent-message';

/** The outcome of an attempt; `email.record_attempts` defines the effect of each outcome. */
export interface AttemptRecord {
  message_id: string;
  position: number;
  outcome: 'sent' | 'deferred' | 'uncertain' | 'held' | 'released' | 'refused';
  /** Number of copies that may have been sent without a confirmation, including this attempt. */
  copies: number;
  event_id: string;
  error: string | null;
  suppresses: boolean;
  /** Set if the domain of the recipient has no mail server. */
  suppress_after_days: number | null;
  /** RFC 3339; null if the mail is not retried. */
  next_try_at: string | null;
  /** RFC 3339 */
  at: string;
  /** The signed part of the Message-ID. */
  mail_token: string;
}

export type DueClaim =
  | { outcome: 'claimed'; sent: DueMessage; recipients: DueRecipient[] }
  /** Another process holds the lease for this many milliseconds. */
  | { outcome: 'wait'; wait_ms: number }
  | { outcome: 'over' };

interface Mark {
  message_id: string;
  position: number;
}

interface WantedMark {
  lane: JobLane;
  mark: Mark;
}

interface WantedRecord {
  lane: JobLane;
  record: AttemptRecord;
}

/** Claims due sends and records the outcomes of their mails, in group commits. */
@Injectable()
export class AttemptsRepository {
  private readonly marks: JobCommits<WantedMark, boolean>;
  private readonly records: JobCommits<WantedRecord, void>;

  constructor(
    pools: CommitPools,
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
  ) {
    this.marks = new JobCommits(pools, async (database, wanted) => {
      const { rows } = await database.query<Mark>({
        name: 'email-begin-data',
        text: 'SELECT message_id, position FROM email.begin_data($1)',
        values: [JSON.stringify(wanted.map(({ mark }) => mark))],
      });
      const begun = new Set(rows.map(keyOf));
      return wanted.map(({ mark }) => begun.has(keyOf(mark)));
    });
    this.records = new JobCommits<WantedRecord, void>(pools, async (database, wanted) => {
      await database.query({
        name: 'email-record-attempts',
        text: 'SELECT email.record_attempts($1)',
        values: [JSON.stringify(wanted.map(({ record }) => record))],
      });
      return wanted.map(() => undefined);
    });
  }

  /** Claims up to `most` recipients of a due send. */
  async claim(messageId: string, most: number): Promise<DueClaim> {
    const { rows } = await this.pool.query<DueClaim>({
      name: 'email-claim',
      text: 'SELECT * FROM email.claim_slice($1, $2, $3, $4)',
      values: [messageId, this.config.EMAIL_LEASE_MS, MAX_COPIES, most],
    });
    return rows[0] ?? { outcome: 'over' };
  }

  /**
   * Records that a copy of this mail may have been sent; resolves after the commit. False if the mail must not be sent: its
   * campaign is paused or canceled, or the recipient is no longer in progress.
   */
  beginData(messageId: string, position: number, lane: JobLane): Promise<boolean> {
    return this.marks.submit({ lane, mark: { message_id: messageId, position } });
  }

  record(record: AttemptRecord, lane: JobLane): Promise<void> {
    return this.records.submit({ lane, record });
  }

  /** Extends the leases of sends that this process is working on. */
  async extendLeases(messageIds: string[]): Promise<void> {
    await this.pool.query({
      name: 'email-extend-leases',
      text: `UPDATE email.messages SET lease_until = now() + $2 * interval '1 millisecond'
             WHERE id = ANY ($1::uuid[]) AND lease_until IS NOT NULL`,
      values: [messageIds, this.config.EMAIL_LEASE_MS],
    });
  }

  async drain(): Promise<void> {
    await this.marks.drain();
    await this.records.drain();
  }
}

function keyOf({ message_id: id, position }: Mark): string {
  return `${id}:${position}`;
}
