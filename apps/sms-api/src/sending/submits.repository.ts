import { Inject, Injectable } from '@nestjs/common';
import { GroupCommit, poolOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { SmsEncoding } from '@heliograph/sms-text';

export interface ClaimedMessage {
  id: string;
  /** With this one. More than one: an earlier submit ended without a word, and the carrier may have the message. */
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
  /** Another worker has it, for that long. */
  | { outcome: 'busy'; busy_ms: number }
  /** It is over, or there is no such message. */
  | { outcome: 'over' };

/** How a submit is recorded; `sms.record_submits` says what each outcome does. */
export interface SubmitRecord {
  id: string;
  outcome: 'sent' | 'refused' | 'given_up' | 'held' | 'unresolved' | 'released';
  carrier: string | null;
  upstream_ids: string[];
  error: string | null;
  /** RFC 3339 */
  at: string;
}

/** Claims messages and records submits, for many at once. */
@Injectable()
export class SubmitsRepository {
  private readonly claims: GroupCommit<{ id: string; leaseMs: number }, Claim>;
  private readonly records: GroupCommit<SubmitRecord, void>;

  constructor(@Inject(DataSource) dataSource: DataSource) {
    const pool = poolOf(dataSource);
    this.claims = new GroupCommit<{ id: string; leaseMs: number }, Claim>({
      maxQueue: Infinity,
      flush: async (wanted) => {
        const { rows } = await pool.query<Claim & { id: string }>({
          name: 'sms-claim',
          text: 'SELECT * FROM sms.claim($1, $2)',
          values: [wanted.map(({ id }) => id), wanted.map(({ leaseMs }) => leaseMs)],
        });
        // Backwards, because what was claimed comes first.
        const byId = new Map(rows.reverse().map((row) => [row.id, row]));
        const given = new Set<string>();
        return wanted.map(({ id, leaseMs }): Claim => {
          // The same event twice in one batch: one of the two has the claim.
          const claim = given.has(id) ? ({ outcome: 'busy', busy_ms: leaseMs } as const) : byId.get(id);
          given.add(id);
          return claim ?? { outcome: 'over' };
        });
      },
    });
    this.records = new GroupCommit<SubmitRecord, void>({
      maxQueue: Infinity,
      flush: async (records) => {
        await pool.query({
          name: 'sms-record-submits',
          text: 'SELECT sms.record_submits($1)',
          values: [JSON.stringify(records)],
        });
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
