import { Workload, type LoadSource } from '../workload';
import type { PaymentEvent } from './payment-event';
import type { PaymentEventGenerator } from './payment-event-generator';
import { postPaymentEvent } from './post-payment-event';

const LANES = 3;
const PAUSE_MS = 250;
const REPEATED_SHARE = 0.15;

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
    if (await postPaymentEvent(this.url, event, this)) this.acknowledged.set(event.id, event);
  }
}
