import { Relay } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';

import type { BillingHookConfig } from '../billing-hook.config';
import { BILLING_HOOK_CONFIG } from '../billing-hook.tokens';
import { DunningSteps } from './dunning-steps';

const POLL_INTERVAL_MS = 1_000;
const BATCH = 100;
const FAILED_RETRY_SECONDS = 60;

/** Polls every second for due dunning steps. Multiple workers perform each step once. */
@Injectable()
export class DunningWorker implements OnModuleInit, OnModuleDestroy {
  private running = false;
  private loop: Promise<void> = Promise.resolve();
  private rouse: (() => void) | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly steps: DunningSteps,
    private readonly relay: Relay,
    @Inject(BILLING_HOOK_CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    if (this.config.ROLE === 'api') return;
    this.running = true;
    this.loop = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.running = false;
    this.rouse?.();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (this.running) {
      let taken = 0;
      try {
        taken = await this.takeDue();
      } catch (error) {
        this.log.warn({ err: error }, 'failed to read due dunning steps; retrying');
      }
      if (taken > 0) this.relay.wake();
      else await this.pause();
    }
  }

  /** Returns the number of performed steps. If it is not 0, further steps may be due. */
  private async takeDue(): Promise<number> {
    const { rows } = await this.pool.query<{ customer: string }>(
      'SELECT customer FROM billing.dunnings WHERE next_step_at <= now() ORDER BY next_step_at LIMIT $1',
      [BATCH],
    );
    let taken = 0;
    for (const { customer } of rows) if (this.running && (await this.take(customer))) taken++;
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

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.rouse = null;
        resolve();
      };
      const timer = setTimeout(done, POLL_INTERVAL_MS);
      this.rouse = done;
      if (!this.running) done();
    });
  }
}
