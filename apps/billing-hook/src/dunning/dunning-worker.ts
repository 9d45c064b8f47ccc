import { poolOf } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { DunningSteps } from './dunning-steps';

const LOOK_EVERY_MS = 1_000;
const BATCH = 100;
const FAILED_RETRY_SECONDS = 60;

/** Looks every second for dunning steps whose time has come. Several workers take each step once. */
@Injectable()
export class DunningWorker implements OnModuleInit, OnModuleDestroy {
  private running = false;
  private loop: Promise<void> = Promise.resolve();
  private rouse: (() => void) | null = null;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(DunningSteps) private readonly steps: DunningSteps,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    if (this.settings.ROLE === 'api') return;
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
        this.log.warn({ err: error }, 'could not look for due reminders; trying again');
      }
      if (taken > 0) this.relay.wake();
      else await this.pause();
    }
  }

  /** Answers how many steps were taken: where there were any, the next may be due as well. */
  private async takeDue(): Promise<number> {
    const { rows } = await poolOf(this.dataSource).query<{ customer: string }>(
      'SELECT customer FROM billing.dunnings WHERE next_step_at <= now() ORDER BY next_step_at LIMIT $1',
      [BATCH],
    );
    let taken = 0;
    for (const { customer } of rows) if (this.running && (await this.take(customer))) taken++;
    return taken;
  }

  private async take(customer: string): Promise<boolean> {
    try {
      return await this.steps.takeNext(customer);
    } catch (error) {
      this.log.error({ err: error, customer }, 'a dunning step failed; it is taken later');
      // One that never works must not stand before the others.
      await poolOf(this.dataSource).query(
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
      const timer = setTimeout(done, LOOK_EVERY_MS);
      this.rouse = done;
      if (!this.running) done();
    });
  }
}
