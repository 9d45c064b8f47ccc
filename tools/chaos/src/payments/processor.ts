import { setTimeout as delay } from 'node:timers/promises';
import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/signatures';
import { untilAnswered, type Conduct } from '../until-answered';
import type { PaymentEvent } from './payment-event';
import type { PaymentStory } from './payment-story';

export const PROCESSOR_SECRET = 'whsec_of_the_chaos';

const LANES = 3;
const PACE_MS = 250;
const REPEATED_SHARE = 0.15;

interface Acknowledgement {
  received: boolean;
  eventId: string;
}

/** The payment processor: posts each event until it is acknowledged, several at a time, and some of them again. */
export class Processor implements Conduct {
  /** By their ids. */
  readonly acknowledged = new Map<string, PaymentEvent>();
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private readonly lanes: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly story: PaymentStory,
  ) {
    this.lanes = Array.from({ length: LANES }, () => this.run());
  }

  /** No new events; resolves when all that were begun are acknowledged. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  private async run(): Promise<void> {
    while (this.running) {
      // What belongs to one invoice is told at once, in any order.
      await Promise.all(this.story.next().map((event) => this.tell(event)));
      await delay(PACE_MS);
    }
  }

  private async tell(event: PaymentEvent): Promise<void> {
    await this.post(event);
    if (Math.random() < REPEATED_SHARE) await this.post(event);
  }

  private async post(event: PaymentEvent): Promise<void> {
    const body = JSON.stringify({ object: 'event', ...event });
    const answer = await untilAnswered<Acknowledgement>(
      {
        name: `the event ${event.id}`,
        url: `${this.url}/api/webhooks/payments`,
        body,
        headers: () => ({
          'content-type': 'application/json',
          [PROCESSOR_SIGNATURE_HEADER]: signProcessorPayload(body, PROCESSOR_SECRET, Math.floor(Date.now() / 1000)),
        }),
      },
      this,
    );
    if (!answer) return;
    if (!answer.received || answer.eventId !== event.id)
      this.problems.push(`the event ${event.id} was answered ${JSON.stringify(answer)}`);
    this.acknowledged.set(event.id, event);
  }
}
