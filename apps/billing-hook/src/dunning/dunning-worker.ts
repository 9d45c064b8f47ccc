import { queryQuietly, Relay } from '@heliograph/messaging';
import { LOGGER, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { DunningSteps } from './dunning-steps';

const BATCH = 100;
const FAILED_RETRY_SECONDS = 60;

/** Performs due dunning steps. Multiple workers perform each step once. */
@Injectable()
export class DunningWorker {
  constructor(
    private readonly pool: Pool,
    private readonly steps: DunningSteps,
    private readonly relay: Relay,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Periodic({ everyMs: 1_000, role: 'worker' })
  async takeAllDue(stopping: AbortSignal): Promise<void> {
    while ((await this.takeDue(stopping)) > 0) this.relay.wake();
  }

  /** Returns the number of performed steps. If it is not 0, further steps may be due. */
  private async takeDue(stopping: AbortSignal): Promise<number> {
    const rows = await queryQuietly<{ customer: string }>(
      this.pool,
      'SELECT customer FROM billing.dunnings WHERE next_step_at <= now() ORDER BY next_step_at LIMIT $1',
      [BATCH],
    );
    let taken = 0;
    for (const { customer } of rows) if (!stopping.aborted && (await this.take(customer))) taken++;
    return taken;
  }

  private async take(customer: string): Promise<boolean> {
    try {
      return await this.steps.performNext(customer);
    } catch (error) {
      this.log.error({ err: error, customer }, 'dunning step failed; retrying later');
      // A step that always fails must not block the others.
      await this.pool.query(
        `UPDATE billing.dunnings SET next_step_at = now() + $2 * interval '1 second'
         WHERE customer = $1 AND next_step_at <= now()`,
        [customer, FAILED_RETRY_SECONDS],
      );
      return false;
    }
  }
}
