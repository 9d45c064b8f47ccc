import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import type { MessageOrigin } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import { CommitPools, flushRows, LanedGroupCommit, MAX_WAITING_SENDS } from '@heliograph/database';
import { LaneObserver } from '@heliograph/fairness';
import { CONFIG, METRICS } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';

import type { SmsApiConfig } from '../sms-api.config';

/** One message to accept: the type `sms.acceptance` without `ord`. */
export interface AcceptanceRow extends MessageOrigin {
  id: string;
  entry_id: string;
  organization_id: string;
  workspace_id: string;
  sender_id: string;
  template_id: string | null;
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
  reference: string | null;
  campaign_id: string | null;
  /** The share of the workers that the message gets. */
  kind: JobKind;
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
 * in group commits over many callers. All messages of a workspace use the same lane, so they never compete for the row
 * lock of the balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly commits: LanedGroupCommit<AcceptanceRow, AcceptanceResult>;

  constructor(
    pools: CommitPools,
    @Inject(CONFIG) config: SmsApiConfig,
    @Inject(METRICS) registry: Registry,
    observer: LaneObserver,
  ) {
    this.commits = new LanedGroupCommit({
      lanes: config.SMS_ACCEPT_LANES,
      laneOf: (row) => row.workspace_id,
      ownerOf: (row) => row.organization_id,
      flush: flushRows(pools, { name: 'sms-accept', text: 'SELECT ord, outcome, balance FROM sms.accept($1)' }),
      maxQueuePerLane: MAX_WAITING_SENDS,
      observed: { by: observer, stage: 'sms-accept' },
      metric: { name: 'sms_group_commit_size', help: 'Messages accepted per commit', registry },
    });
  }

  /** Resolves after the commit. */
  accept(row: AcceptanceRow): Promise<AcceptanceResult> {
    return this.commits.submit(row);
  }

  onModuleDestroy(): Promise<void> {
    return this.commits.drain();
  }
}
