import { Injectable } from '@nestjs/common';
import { emailDue, type EventOf } from '@heliograph/contracts';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryService } from './delivery.service';
import { DUE_QUEUE } from './due-queue';

/** Delivers due sends: scheduled sends, retries, and sends of crashed processes. */
@Injectable()
export class DueConsumer {
  constructor(
    private readonly repository: AttemptsRepository,
    private readonly deliveries: DeliveryService,
  ) {}

  @Consumes(emailDue, { queue: DUE_QUEUE, concurrency: 'EMAIL_SEND_CONCURRENCY' })
  async send({ data }: EventOf<typeof emailDue>): Promise<void> {
    const claim = await this.repository.claim(data.messageId);
    if (claim.outcome === 'over') return;
    if (claim.outcome === 'wait')
      throw new TryAgainLater(claim.wait_ms + 100, 'another process holds the lease of the send');
    // Recording a deferred recipient creates a new job for it.
    await Promise.all(
      this.deliveries.deliver(claim.sent, claim.recipients, {
        marks: true,
        kind: data.kind,
        campaignId: claim.sent.campaignId,
      }),
    );
  }
}
