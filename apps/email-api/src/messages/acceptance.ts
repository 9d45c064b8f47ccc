import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { METRICS } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';

import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import type { MailAttachment } from '../sending/sent-message';

/** One send to accept: the type `email.acceptance`. */
export interface AcceptanceRow {
  id: string;
  entry_id: string;
  /** Null for system mail, which is not charged. */
  organization_id: string | null;
  workspace_id: string | null;
  domain_id: string | null;
  from_address: string;
  from_name: string | null;
  subject: string;
  html: string | null;
  text: string | null;
  attachments: MailAttachment[] | null;
  track_opens: boolean;
  track_clicks: boolean;
  recipients: string[];
  /** Time requested by the caller. */
  scheduled_at: string | null;
  /** Time at which a worker sends it; null if the accepting process sends it. */
  due_at: string | null;
  created_at: string;
  correlation_id: string | null;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  fingerprint?: string;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'insufficient' | 'repeated';
  /** Balance after the charge, or the balance that was insufficient. */
  balance: number;
  /** Positions of the suppressed recipients. */
  skipped: number[];
}

const MAX_BATCH = 64;
/** A larger send is committed in a separate batch, because 64 of them would be one statement of half a gigabyte. */
const LARGE_CHARACTERS = 64_000;
const LARGE_RECIPIENTS = 50;
const MAX_LARGE_AT_ONCE = 4;

/**
 * Charges and stores sends. The charge, send, recipients, job and idempotency key are committed together, in group
 * commits over many callers. All sends of a workspace use the same lane, so they do not wait for each other's lock on
 * the balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly lanes: GroupCommit<AcceptanceRow, AcceptanceResult>[];
  private readonly large: GroupCommit<AcceptanceRow, AcceptanceResult>[];
  private nextLarge = 0;

  constructor(pool: Pool, @Inject(EMAIL_API_SETTINGS) settings: EmailApiSettings, @Inject(METRICS) registry: Registry) {
    const sizes = new Histogram({
      name: 'email_group_commit_size',
      help: 'Sends accepted per commit',
      buckets: [1, 2, 4, 8, 16, 32, 64],
      registers: [registry],
    });
    const flush = async (rows: AcceptanceRow[]): Promise<AcceptanceResult[]> => {
      const batch = rows.map((row, ord) => ({ ord, lease_ms: settings.EMAIL_LEASE_MS, ...row }));
      const { rows: results } = await pool.query<AcceptanceResult & { ord: number }>({
        name: 'email-accept',
        text: 'SELECT ord, outcome, balance, skipped FROM email.accept($1)',
        values: [JSON.stringify(batch)],
      });
      const ordered = new Array<AcceptanceResult>(rows.length);
      for (const { ord, ...result } of results) ordered[ord] = result;
      return ordered;
    };
    const lanes = (count: number, maxBatch: number) =>
      Array.from(
        { length: count },
        () =>
          new GroupCommit<AcceptanceRow, AcceptanceResult>({ flush, maxBatch, onFlush: (size) => sizes.observe(size) }),
      );
    this.lanes = lanes(settings.EMAIL_ACCEPT_LANES, MAX_BATCH);
    this.large = lanes(MAX_LARGE_AT_ONCE, 1);
  }

  /** Resolves after the commit. */
  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    const lane = isLarge(row)
      ? this.large[this.nextLarge++ % this.large.length]
      : this.lanes[laneOf(row.workspace_id, this.lanes.length)];
    if (!lane) throw new Error('no acceptance lane is configured');
    return lane.submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.lanes, ...this.large].map((lane) => lane.drain()));
  }
}

function isLarge({ html, text, recipients, attachments }: AcceptanceRow): boolean {
  const characters = (html?.length ?? 0) + (text?.length ?? 0);
  return characters > LARGE_CHARACTERS || recipients.length > LARGE_RECIPIENTS || attachments !== null;
}

/** The last characters of a UUIDv7 are random. */
function laneOf(workspaceId: string | null, lanes: number): number {
  return Number.parseInt(workspaceId?.slice(-6) ?? '0', 16) % lanes;
}
