import { Inject, Injectable } from '@nestjs/common';
import { GroupCommit, poolOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import type { DueRecipient, SentMessage } from './sent-message';

/** How an attempt ended; `email.record_attempts` says what each outcome does. */
export interface AttemptRecord {
  message_id: string;
  position: number;
  outcome: 'sent' | 'deferred' | 'refused';
  /** That may be out with no answer, after this attempt. */
  copies: number;
  event_id: string;
  error: string | null;
  suppresses: boolean;
  /** RFC 3339; of a deferred one. */
  next_try_at: string | null;
  /** RFC 3339 */
  at: string;
}

export type DueClaim =
  | { outcome: 'claimed'; sent: SentMessage; recipients: DueRecipient[] }
  /** Another process has the send, for that long. */
  | { outcome: 'wait'; wait_ms: number }
  | { outcome: 'over' };

interface Mark {
  message_id: string;
  position: number;
}

/** Claims sends that are due, and records what becomes of their mails, for many at once. */
@Injectable()
export class AttemptsRepository {
  private readonly marks: GroupCommit<Mark, void>;
  private readonly records: GroupCommit<AttemptRecord, void>;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
  ) {
    const run = (name: string, text: string) => async (rows: object[]) => {
      await poolOf(dataSource).query({ name, text, values: [JSON.stringify(rows)] });
      return rows.map(() => undefined);
    };
    this.marks = new GroupCommit<Mark, void>({
      maxQueue: Infinity,
      flush: run('email-mark-data', 'SELECT email.mark_data($1)'),
    });
    this.records = new GroupCommit<AttemptRecord, void>({
      maxQueue: Infinity,
      flush: run('email-record-attempts', 'SELECT email.record_attempts($1)'),
    });
  }

  async claim(messageId: string): Promise<DueClaim> {
    const { rows } = await poolOf(this.dataSource).query<DueClaim>({
      name: 'email-claim',
      text: 'SELECT * FROM email.claim($1, $2)',
      values: [messageId, this.settings.EMAIL_LEASE_MS],
    });
    return rows[0] ?? { outcome: 'over' };
  }

  /** Resolves once it is committed that a copy of this mail may be out. */
  markData(messageId: string, position: number): Promise<void> {
    return this.marks.submit({ message_id: messageId, position });
  }

  record(record: AttemptRecord): Promise<void> {
    return this.records.submit(record);
  }

  /** Sends that this process still works on stay its own. */
  async extendLeases(messageIds: string[]): Promise<void> {
    await poolOf(this.dataSource).query({
      name: 'email-extend-leases',
      text: `UPDATE email.messages SET lease_until = now() + $2 * interval '1 millisecond'
             WHERE id = ANY ($1::uuid[]) AND lease_until IS NOT NULL`,
      values: [messageIds, this.settings.EMAIL_LEASE_MS],
    });
  }

  async drain(): Promise<void> {
    await this.marks.drain();
    await this.records.drain();
  }
}
