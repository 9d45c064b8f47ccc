import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { MessageOrigin } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import { CommitPools, flushRows, LanedGroupCommit, MAX_WAITING_SENDS } from '@heliograph/database';
import { LaneObserver } from '@heliograph/fairness';
import { CONFIG, METRICS } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';

import type { EmailApiConfig } from '../../email-api.config';
import type { MailAttachment } from '../../sending/sent-message';
import type { RecipientKind } from '../checks/recipients';

/** One send to accept: the type `email.acceptance` without `ord` and `lease_ms`. */
export interface NewSend extends MessageOrigin {
  id: string;
  entry_id: string;
  /** Null for system mail, which is not charged. */
  organization_id: string | null;
  workspace_id: string | null;
  domain_id: string | null;
  from_address: string;
  from_name: string | null;
  reply_to: string[] | null;
  headers: Record<string, string> | null;
  subject: string;
  html: string | null;
  text: string | null;
  attachments: MailAttachment[] | null;
  track_opens: boolean;
  track_clicks: boolean;
  unsubscribe_scope: string;
  recipients: string[];
  /** Whether every copy shows the same To and Cc. */
  shares_header: boolean;
  /** The kinds of the recipients, in their order; null if all are `to`. */
  recipient_kinds: RecipientKind[] | null;
  /** Time requested by the caller. */
  scheduled_at: string | null;
  /** Time at which a worker sends it; null if the accepting process sends it. */
  due_at: string | null;
  created_at: string;
  correlation_id: string | null;
  template_id: string | null;
  tags: string[];
  reference: string | null;
  campaign_id: string | null;
  /** The share of the workers that the send gets. */
  kind: JobKind;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  fingerprint?: string;
}

interface AcceptanceRow extends NewSend {
  lease_ms: number;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'insufficient' | 'repeated';
  /** Balance after the charge, or the balance that was insufficient. */
  balance: number;
  /** Positions of the suppressed recipients. */
  skipped: number[];
}

const MAX_BATCH = 64;
/** A send above these sizes is committed in a batch of its own, because 64 such sends could be a statement of half a gigabyte. */
const LARGE_CHARACTERS = 64_000;
const LARGE_RECIPIENTS = 50;
const LARGE_LANES = 4;

/**
 * Charges and stores sends. The charge, send, recipients, job and idempotency key are committed together, in group
 * commits over many callers. All sends of a workspace use the same lane, so they never compete for the row lock of the
 * balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly commits: LanedGroupCommit<AcceptanceRow, AcceptanceResult>;
  private readonly large: LanedGroupCommit<AcceptanceRow, AcceptanceResult>;

  constructor(
    pools: CommitPools,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    @Inject(METRICS) registry: Registry,
    observer: LaneObserver,
  ) {
    const text = 'SELECT ord, outcome, balance, skipped FROM email.accept($1)';
    const flush = flushRows<AcceptanceRow, AcceptanceResult>(pools, { name: 'email-accept', text });
    this.commits = new LanedGroupCommit({
      lanes: config.EMAIL_ACCEPT_LANES,
      laneOf: (row) => row.workspace_id ?? row.id,
      ownerOf: (row) => row.organization_id ?? row.id,
      flush,
      maxBatch: MAX_BATCH,
      maxQueuePerLane: MAX_WAITING_SENDS,
      observed: { by: observer, stage: 'email-accept' },
      metric: { name: 'email_group_commit_size', help: 'Sends accepted per commit', registry },
    });
    this.large = new LanedGroupCommit({
      lanes: LARGE_LANES,
      laneOf: (row) => row.workspace_id ?? row.id,
      ownerOf: (row) => row.organization_id ?? row.id,
      spreadBy: ({ id }) => id,
      flush,
      maxBatch: 1,
    });
  }

  /** Resolves after the commit. */
  accept(send: NewSend): Promise<AcceptanceResult> {
    const row = { ...send, lease_ms: this.config.EMAIL_LEASE_MS };
    return (isLarge(row) ? this.large : this.commits).submit(row);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.commits.drain(), this.large.drain()]);
  }
}

function isLarge({ html, text, recipients, attachments }: AcceptanceRow): boolean {
  const characters = (html?.length ?? 0) + (text?.length ?? 0);
  return characters > LARGE_CHARACTERS || recipients.length > LARGE_RECIPIENTS || attachments !== null;
}
