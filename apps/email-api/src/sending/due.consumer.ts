import { Inject, Injectable } from '@nestjs/common';
import { emailDue, type EventOf } from '@heliograph/contracts';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { CONFIG } from '@heliograph/service-kit';
import type { EmailApiConfig } from '../email-api.config';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryService } from './delivery.service';
import { DUE_QUEUE, SINGLE_QUEUE } from './due-queue';

/** Recipients of a slice of a send. They are delivered within a fraction of a second. */
const SLICE = 25;
/** Recipients of a slice while no other send is in progress: the connections are idle at the end of a slice. */
const SLICE_ALONE = 100;

/**
 * Delivers due sends: scheduled sends, retries, and sends of crashed processes. A send is delivered in slices. While all
 * slots of the process are in use, it returns to its lane after each slice, so that the sends of other organizations get
 * a slot.
 */
@Injectable()
export class DueConsumer {
  private inProgress = 0;

  constructor(
    private readonly repository: AttemptsRepository,
    private readonly deliveries: DeliveryService,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
  ) {}

  @Consumes(emailDue, { queue: DUE_QUEUE, concurrency: 'EMAIL_SEND_CONCURRENCY' })
  @Consumes(emailDue, { queue: SINGLE_QUEUE, concurrency: 'EMAIL_SEND_CONCURRENCY' })
  async send({ data, traceparent }: EventOf<typeof emailDue>): Promise<void> {
    this.inProgress++;
    try {
      await this.sendSlices(data, traceparent);
    } finally {
      this.inProgress--;
    }
  }

  private async sendSlices(
    { messageId, kind }: EventOf<typeof emailDue>['data'],
    traceparent: string | undefined,
  ): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      const most = this.inProgress > 1 ? SLICE : SLICE_ALONE;
      const claim = await this.repository.claim(messageId, most);
      if (claim.outcome === 'over') return;
      if (claim.outcome === 'wait') {
        // After a slice, the remaining recipients have a job: that of their retry, or that of the process with the lease.
        if (!isFirst) return;
        throw new TryAgainLater(claim.wait_ms + 100, 'another process holds the lease of the send');
      }
      // Recording a deferred recipient creates a new job for it when no recipient waits any more.
      await Promise.all(
        this.deliveries.deliver(claim.sent, claim.recipients, {
          marks: true,
          kind,
          isSlice: true,
          campaignId: claim.sent.campaignId,
          traceparent,
        }),
      );
      if (claim.recipients.length < most) return;
      if (this.deliveries.isStopping || this.inProgress >= this.config.EMAIL_SEND_CONCURRENCY)
        throw new TryAgainLater(0, 'other sends wait for the slot');
    }
  }
}
