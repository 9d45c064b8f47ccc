import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';

import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

/** One message to accept: the type `sms.acceptance` without `ord`. */
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
  /** The stored response for a repeated request, without the balance. */
  answer?: object;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'insufficient' | 'repeated';
  /** Balance after the charge, or the balance that was insufficient. */
  balance: number;
}

/**
 * Charges and stores messages. The charge, ledger entry, message, event and idempotent response are committed together,
 * in group commits over many callers. All messages of a workspace use the same lane, so they do not wait for each
 * other's lock on the balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly lanes: GroupCommit<AcceptanceRow, AcceptanceResult>[];

  constructor(pool: Pool, @Inject(SMS_API_SETTINGS) settings: SmsApiSettings, @Inject(METRICS) registry: Registry) {
    const sizes = new Histogram({
      name: 'sms_group_commit_size',
      help: 'Messages accepted per commit',
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

  /** Resolves after the commit. */
  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    const lane = this.lanes[laneOf(row.workspace_id, this.lanes.length)];
    if (!lane) throw new Error('no acceptance lane is configured');
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
