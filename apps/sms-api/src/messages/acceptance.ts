import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { GroupCommit, poolOf } from '@heliograph/database';
import { METRICS } from '@heliograph/platform';
import { Histogram, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

/** One message to accept: `sms.acceptance` of the schema, without its ord. */
export interface AcceptanceRow {
  id: string;
  entry_id: string;
  organization_id: string;
  workspace_id: string;
  sender_id: string;
  template_id: string;
  header: string;
  recipient: string;
  country: string;
  body: string;
  encoding: string;
  segments: number;
  credits_cost: number;
  flash: boolean;
  dlt_entity_id: string | null;
  dlt_template_id: string | null;
  scheduled_at: string | null;
  created_at: string;
  correlation_id: string;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  fingerprint?: string;
  /** What a repeat is answered, but for the balance. */
  answer?: object;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'insufficient' | 'repeated';
  /** After the charge; the one that did not suffice otherwise. */
  balance: number;
}

/**
 * Charges and stores messages: charge, ledger entry, message, event and idempotent answer are committed together, for
 * many callers at once. A workspace always writes through the same lane, so it never waits for its own balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly lanes: GroupCommit<AcceptanceRow, AcceptanceResult>[];

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(SMS_API_SETTINGS) settings: SmsApiSettings,
    @Inject(METRICS) registry: Registry,
  ) {
    const pool = poolOf(dataSource);
    const sizes = new Histogram({
      name: 'sms_group_commit_size',
      help: 'Messages that were accepted with one commit',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers: [registry],
    });
    this.lanes = Array.from(
      { length: settings.SMS_ACCEPT_LANES },
      () =>
        new GroupCommit<AcceptanceRow, AcceptanceResult>({
          flush: async (rows) => {
            const { rows: results } = await pool.query<AcceptanceResult & { ord: number }>({
              name: 'sms-accept',
              text: 'SELECT ord, outcome, balance FROM sms.accept($1)',
              values: [JSON.stringify(rows.map((row, ord) => ({ ord, ...row })))],
            });
            const ordered = new Array<AcceptanceResult>(rows.length);
            for (const { ord, outcome, balance } of results) ordered[ord] = { outcome, balance };
            return ordered;
          },
          onFlush: (size) => sizes.observe(size),
        }),
    );
  }

  /** Resolves once it is committed. */
  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    const lane = this.lanes[laneOf(row.workspace_id, this.lanes.length)];
    if (!lane) throw new Error('there is no lane');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.drain()));
  }
}

/** The last characters of a UUIDv7 are random. */
function laneOf(workspaceId: string, lanes: number): number {
  return Number.parseInt(workspaceId.slice(-6), 16) % lanes;
}
