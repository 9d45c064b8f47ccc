import { ProcessorEvent } from '@heliograph/billing';
import { billingEventReceived, type EventOf } from '@heliograph/contracts';
import { Consumes, Relay } from '@heliograph/messaging';
import { CONFIG, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { TenancyService } from '@heliograph/tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { PurchasesService, type PurchaseOutcome } from '../purchases/purchases.service';
import type { BillingHookConfig } from '../billing-hook.config';
import { InvoicesService } from '../invoices/invoices.service';
import { SubscriptionStateService } from '../subscription-state/subscription-state.service';
import { timestampOf } from '../subscription-state/event-timestamp';
import { PayersRepository } from '../payers/payers.repository';
import { EVENTS_QUEUE } from './events-queue';
import { normalizeEvent } from './normalize-event';

/** Each concurrent job holds a connection; the remaining connections of the pool serve requests. */
const CONCURRENCY = 4;

type Outcome = PurchaseOutcome | 'unknown type' | 'unreadable object' | 'unknown customer';

/** Processes stored events. All effects of an event are committed in one transaction, exactly once. */
@Injectable()
export class SettleService {
  private readonly settled: Counter<'outcome'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly payers: PayersRepository,
    private readonly states: SubscriptionStateService,
    private readonly invoices: InvoicesService,
    private readonly purchases: PurchasesService,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.settled = new Counter({
      name: 'billing_events_settled_total',
      help: 'Processed events, by result',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** Does nothing if the event was already processed. */
  @Consumes(billingEventReceived, { queue: EVENTS_QUEUE, concurrency: CONCURRENCY })
  async settle({ data: { eventId } }: EventOf<typeof billingEventReceived>): Promise<void> {
    const outcome = await this.dataSource.transaction(async (transaction) => {
      const repository = transaction.getRepository(ProcessorEvent);
      const event = await repository.findOne({ where: { id: eventId }, lock: { mode: 'pessimistic_write' } });
      if (!event) throw new Error(`event ${eventId} was published but is not stored`);
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
    const context = { eventId: id, type, customer, requestId: correlationId };
    const content = normalizeEvent({ id, type, timestamp: timestampOf(event), payload }, this.config.BILLING_PLANS);
    if ('ignored' in content) {
      this.log.info(context, `event has no effect: ${content.ignored}`);
      return content.ignored;
    }
    if ('purchase' in content) {
      const outcome = await this.purchases.apply(transaction, content.purchase, correlationId);
      if (outcome !== 'applied') this.log.warn(context, `event about a purchase has no effect: ${outcome}`);
      return outcome;
    }
    if (customer !== null) await this.payers.lock(transaction, customer);
    const workspace =
      customer === null ? null : await this.tenancy.workspaceOfCustomerAcrossTenants(transaction, customer);
    if (customer === null || workspace === null) {
      this.log.warn(context, 'event ignored, because the customer does not pay for a workspace');
      return 'unknown customer';
    }
    const { id: workspaceId, organizationId } = workspace;
    const payer = { customer, organizationId, workspaceId, correlationId };
    if ('invoice' in content) await this.invoices.record(transaction, payer, content);
    await this.states.apply(transaction, payer, workspace, content.event);
    return 'applied';
  }
}
