import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { acceptMessages, type AcceptanceResult, type AcceptanceRow } from '@heliograph/chatapp-messages';
import { CommitPools, LanedGroupCommit, MAX_WAITING_SENDS } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { CONFIG, METRICS } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';
import type { ChatappApiConfig } from '../chatapp-api.config';

/**
 * Charges and stores sends in group commits. All sends of a workspace use the same lane, so they never compete for the
 * row lock of the balance.
 */
@Injectable()
export class Acceptance implements OnModuleDestroy {
  private readonly commits: LanedGroupCommit<AcceptanceRow, AcceptanceResult>;

  constructor(
    pools: CommitPools,
    @Inject(CONFIG) config: ChatappApiConfig,
    @Inject(METRICS) registry: Registry,
    observer: LaneObserver,
  ) {
    this.commits = new LanedGroupCommit({
      lanes: config.CHATAPP_ACCEPT_LANES,
      laneOf: (row) => row.workspace_id,
      ownerOf: (row) => row.organization_id,
      flush: (rows, waitsForLocks) => acceptMessages(pools.of(waitsForLocks), rows),
      maxQueuePerLane: MAX_WAITING_SENDS,
      observed: { by: observer, stage: 'chatapp-accept' },
      metric: { name: 'chatapp_group_commit_size', help: 'Sends accepted per commit', registry },
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

/** Throws RECIPIENT_OPTED_OUT, CHATAPP_REQUEST_INVALID for a closed window, INSUFFICIENT_CREDITS. */
export function assertAccepted(
  { outcome, balance }: Pick<AcceptanceResult, 'outcome' | 'balance'>,
  { recipient, price }: Pick<AcceptanceRow, 'recipient' | 'price'>,
): void {
  switch (outcome) {
    case 'opted_out':
      throw new AppError(
        'RECIPIENT_OPTED_OUT',
        `${recipient} has opted out of your messages. Send again after the person has opted in.`,
      );
    case 'window_closed':
      throw new AppError(
        'CHATAPP_REQUEST_INVALID',
        `The 24-hour window is closed: ${recipient} has not sent a message within the last 24 hours. Send a template message instead.`,
      );
    case 'insufficient':
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `This message costs ${price} and the balance of the workspace is ${balance}. Add credits and send again.`,
      );
    default:
  }
}
