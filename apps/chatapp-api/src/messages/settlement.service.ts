import { Inject, Injectable } from '@nestjs/common';
import { matchUnmatchedStatuses, settleOverdue } from '@heliograph/chatapp-messages';
import { CONFIG, LOGGER, METRICS, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { ChatappApiConfig } from '../chatapp-api.config';

const BATCH = 200;

/**
 * Periodic task that marks sends without a response as failed and refunds them, and matches statuses that arrived before
 * the response to their send. Several processes can run it concurrently, because rows are locked with SKIP LOCKED.
 */
@Injectable()
export class SettlementService {
  private readonly settled: Counter;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.settled = new Counter({
      name: 'chatapp_settled_total',
      help: 'Sends without a response that were marked as failed and refunded',
      registers: [registry],
    });
  }

  @Periodic({ everyMs: 5_000, role: 'worker' })
  async settle(stopping: AbortSignal): Promise<void> {
    for (let count = BATCH; count === BATCH && !stopping.aborted;) {
      count = await settleOverdue(this.pool, this.config.CHATAPP_SETTLE_AFTER_MS, BATCH);
      this.settled.inc(count);
      if (count > 0)
        this.log.warn({ count }, 'sends without a response of the provider were marked as failed and refunded');
    }
    for (let count = BATCH; count === BATCH && !stopping.aborted;)
      count = await matchUnmatchedStatuses(this.pool, BATCH);
  }
}
