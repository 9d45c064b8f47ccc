import { Injectable } from '@nestjs/common';
import { clientOf, newId } from '@heliograph/database';
import { composeMail, requestMail } from '@heliograph/system-mail';
import { ownerEmails } from '@heliograph/users';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { Clock } from './clock';
import { storedEventOf } from './log/event-body';
import { appendEvents } from './log/event-log';
import { DeliveriesRepository } from './log/deliveries.repository';
import { webhookRecordOf } from './subscription-record';
import { Subscription } from './subscription.entity';

/** Disables subscriptions whose endpoints fail permanently. */
@Injectable()
export class SubscriptionDisabler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the deliveries of a subscription, emits `webhook.disabled` and mails the owners. Does nothing if it is
   * disabled already.
   */
  async disable(subscriptionId: string, reason: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const now = this.clock.now();
      const { affected } = await transaction.update(
        Subscription,
        { id: subscriptionId, disabledAt: IsNull() },
        { disabledAt: now, disabledReason: reason, updatedAt: now },
      );
      const subscription = affected ? await transaction.findOneBy(Subscription, { id: subscriptionId }) : null;
      if (!subscription) return;
      const client = await clientOf(transaction);
      await this.deliveries.endPending(client, subscriptionId);
      const { organizationId, workspaceId } = subscription;
      const event = storedEventOf({
        sourceId: newId(),
        type: 'webhook.disabled',
        time: now,
        organizationId,
        workspaceId,
        subjectId: null,
        data: webhookRecordOf(subscription),
      });
      await appendEvents(client, [event], now);
      await this.mailOwners(transaction, subscription, reason);
    });
  }

  private async mailOwners(
    transaction: EntityManager,
    { organizationId, url }: Subscription,
    reason: string,
  ): Promise<void> {
    const to = await ownerEmails(await clientOf(transaction), organizationId);
    if (to.length === 0) return;
    const mail = composeMail('A webhook was disabled', [
      { kind: 'heading', text: 'A webhook was disabled' },
      { kind: 'paragraph', text: `Events are no longer delivered to ${url}. ${reason}` },
      { kind: 'note', text: 'Repair the endpoint, then set the webhook to active and replay the missed events.' },
    ]);
    await requestMail(transaction, {
      purpose: 'webhook-disabled',
      to,
      mail,
      organizationId,
      workspaceId: null,
      correlationId: null,
    });
  }
}
