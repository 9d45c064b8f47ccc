import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/webhook-signatures';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';
import type { PaymentEvent } from './payment-event';
import type { PaymentEventGenerator } from './payment-event-generator';

export const PROCESSOR_SECRET = 'whsec_chaos';

const LANES = 3;
const PAUSE_MS = 250;
const REPEATED_SHARE = 0.15;

interface Acknowledgement {
  received: boolean;
  eventId: string;
}

/** The payment processor: posts each event until it is acknowledged, and some of them again. */
export class PaymentWorkload extends Workload implements LoadSource {
  /** By event id. */
  readonly acknowledged = new Map<string, PaymentEvent>();

  constructor(
    private readonly url: string,
    private readonly events: PaymentEventGenerator,
  ) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  summary(): string {
    return `${this.acknowledged.size} payment events`;
  }

  protected async runOnce(): Promise<void> {
    // The events of one invoice are posted at the same time and may arrive in any order.
    await Promise.all(this.events.next().map((event) => this.postSometimesTwice(event)));
    await this.pause(PAUSE_MS);
  }

  private async postSometimesTwice(event: PaymentEvent): Promise<void> {
    await this.post(event);
    if (Math.random() < REPEATED_SHARE) await this.post(event);
  }

  private async post(event: PaymentEvent): Promise<void> {
    const body = JSON.stringify({ object: 'event', ...event });
    const answer = await callUntilAnswered<Acknowledgement>(
      {
        name: `the payment event ${event.id}`,
        url: `${this.url}/api/webhooks/payments`,
        body,
        headers: () => ({
          [PROCESSOR_SIGNATURE_HEADER]: signProcessorPayload(body, PROCESSOR_SECRET, Math.floor(Date.now() / 1000)),
        }),
      },
      this,
    );
    if (!answer) return;
    if (!answer.received || answer.eventId !== event.id)
      this.problems.push(`the payment event ${event.id} was acknowledged with ${JSON.stringify(answer)}`);
    this.acknowledged.set(event.id, event);
  }
}
