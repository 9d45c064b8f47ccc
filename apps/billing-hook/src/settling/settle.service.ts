import { ProcessorEvent } from '@heliograph/billing';
import { Relay } from '@heliograph/messaging';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { TenancyService } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { InvoicesService } from '../invoices/invoices.service';
import { StandingService } from '../standing/standing.service';
import { momentOf } from '../standing/moment';
import { PayersRepository } from './payers.repository';
import { readContent } from './read-fact';

type Outcome = 'applied' | 'unknown type' | 'unreadable object' | 'unknown customer';

/** Gives stored events their effects: all of an event's in one transaction, and once. */
@Injectable()
export class SettleService {
  private readonly settled: Counter<'outcome'>;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(PayersRepository) private readonly payers: PayersRepository,
    @Inject(StandingService) private readonly standings: StandingService,
    @Inject(InvoicesService) private readonly invoices: InvoicesService,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.settled = new Counter({
      name: 'billing_events_settled_total',
      help: 'Stored events whose effects were committed, by what became of them',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** Does nothing for an event that is settled already. */
  async settle(eventId: string): Promise<void> {
    const outcome = await this.dataSource.transaction(async (transaction) => {
      const repository = transaction.getRepository(ProcessorEvent);
      const event = await repository.findOne({ where: { id: eventId }, lock: { mode: 'pessimistic_write' } });
      if (!event) throw new Error(`event ${eventId} was announced, but is not stored`);
      if (event.settledAt) return null;
      const result = await this.apply(transaction, event);
      await repository.update(eventId, { settledAt: new Date() });
      return result;
    });
    if (outcome === null) return;
    this.settled.inc({ outcome });
    this.relay.wake();
  }

  private async apply(transaction: EntityManager, event: ProcessorEvent): Promise<Outcome> {
    const { id, type, payload, customer, correlationId } = event;
    const about = { eventId: id, type, customer, requestId: correlationId };
    const content = readContent({ id, type, moment: momentOf(event), payload }, this.settings.BILLING_PLANS);
    if ('ignored' in content) {
      this.log.info(about, `nothing follows from an event: ${content.ignored}`);
      return content.ignored;
    }
    if (customer !== null) await this.payers.lock(transaction, customer);
    const workspace =
      customer === null ? null : await this.tenancy.workspaceOfCustomerAcrossTenants(transaction, customer);
    if (customer === null || workspace === null) {
      this.log.warn(about, 'an event is about a customer that pays for no workspace of ours');
      return 'unknown customer';
    }
    const { id: workspaceId, organizationId } = workspace;
    const paidFor = { customer, organizationId, workspaceId, correlationId };
    if ('invoice' in content) await this.invoices.record(transaction, paidFor, content);
    await this.standings.learn(transaction, paidFor, workspace, content.fact);
    return 'applied';
  }
}
