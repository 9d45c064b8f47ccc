import { Injectable } from '@nestjs/common';
import { clientOf, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { fieldError, parseScheduledAt, v1List, v1NotFound, pageOf, type V1List } from '@heliograph/service-kit';
import {
  CATALOG,
  Clock,
  composeBody,
  DeliveriesRepository,
  Deliverer,
  Dispatcher,
  exampleDataOf,
  MAX_REPLAYED,
  type Subscription,
  type WebhookEventType,
} from '@heliograph/webhooks';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import { WEBHOOK } from './webhook-audit';
import {
  V1Delivery,
  type V1Attempt,
  type V1Replay,
  type V1ReplayRequest,
  type V1WebhookLogsQuery,
} from './webhooks.dto';
import { WebhooksService } from './webhooks.service';

/** Lists the delivery attempts of webhooks, sends sample events, and sends events again. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesRepository,
    private readonly deliverer: Deliverer,
    private readonly dispatcher: Dispatcher,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Throws NOT_FOUND. */
  test(write: Write, caller: Caller, id: string, chosen: WebhookEventType | null): Promise<V1Attempt> {
    return this.unitOfWork.once(write, async () => {
      const subscription = await this.webhooks.read(caller, id);
      const type = chosen ?? firstTypeOf(subscription);
      const { organizationId, workspaceId, previousSecretUntil } = subscription;
      const time = this.clock.now();
      const event = { id: newId(), type, time, organizationId, workspaceId, data: exampleDataOf(type) };
      const isRotating = previousSecretUntil !== null && previousSecretUntil > time;
      const signed = { ...subscription, previousSecret: isRotating ? subscription.previousSecret : null };
      const { attempt } = await this.deliverer.deliver(this.deliverer.prepare(signed), event.id, composeBody(event));
      return this.unitOfWork.run(write, () => Promise.resolve(attempt));
    });
  }

  /** Throws NOT_FOUND, INVALID_REQUEST, STATE_CONFLICT. */
  replay(write: Write, caller: Caller, id: string, request: V1ReplayRequest): Promise<V1Replay> {
    return this.unitOfWork.once(write, async () => {
      const subscription = await this.webhooks.read(caller, id);
      refuseInactive(subscription);
      const now = this.clock.now();
      const from = instantOf(request.from) ?? now;
      const until = instantOf(request.until) ?? now;
      if (from >= until) throw fieldError('INVALID_REQUEST', 'until', 'until must be after from.');
      const range = { from, until, status: request.status ?? null };
      const answer = await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
        const added = await this.deliveries.replay(await clientOf(transaction), id, range, now);
        if (added > MAX_REPLAYED) {
          const message = `The period contains more than ${MAX_REPLAYED} events. Replay several shorter periods.`;
          throw fieldError('INVALID_REQUEST', 'until', message);
        }
        await auditChange(WEBHOOK, 'replayed', { before: subscription, after: subscription });
        return { deliveries: added };
      });
      this.dispatcher.wake();
      return answer;
    });
  }

  /** Throws NOT_FOUND. */
  async list(caller: Caller, id: string, query: V1WebhookLogsQuery): Promise<V1List<V1Delivery>> {
    await this.webhooks.read(caller, id);
    const { status, event_type: eventType } = query;
    const filter = { status, eventType, from: instantOf(query.from), until: instantOf(query.until) };
    return v1List(await this.deliveries.list(id, filter, pageOf(query)), V1Delivery.of);
  }

  /** Throws NOT_FOUND, STATE_CONFLICT. */
  retry(write: Write, caller: Caller, id: string, deliveryId: string): Promise<V1Delivery> {
    return this.unitOfWork.once(write, async () => {
      const subscription = await this.webhooks.read(caller, id);
      const answer = await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
        const client = await clientOf(transaction);
        const delivery = await this.deliveries.retry(client, id, deliveryId, this.clock.now());
        if (!delivery) throw v1NotFound('delivery');
        refuseInactive(subscription);
        await auditChange(WEBHOOK, 'retried', { before: subscription, after: subscription });
        return V1Delivery.of(delivery);
      });
      this.dispatcher.wake();
      return answer;
    });
  }
}

function refuseInactive({ active, disabledAt }: Subscription): void {
  if (active && disabledAt === null) return;
  throw new AppError('STATE_CONFLICT', 'The webhook is not active. Set active to true, and send the request again.');
}

function instantOf(text: string | null | undefined): Date | undefined {
  return typeof text === 'string' ? parseScheduledAt(text)?.date : undefined;
}

function firstTypeOf({ events: [first = '*'] }: Subscription): WebhookEventType {
  const prefix = first.replace(/\*$/, '');
  return (
    CATALOG.find(({ type }) => type === first || (first !== prefix && type.startsWith(prefix)))?.type ?? 'sms.sent'
  );
}
