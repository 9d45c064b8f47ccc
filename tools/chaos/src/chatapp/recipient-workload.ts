import { randomUUID } from 'node:crypto';
import { Workload } from '../workload';
import type { WebhookWorkload } from './webhook-workload';

const RECIPIENTS_PER_ORGANIZATION = 10;
const OPT_OUT_SHARE = 0.15;
const MAX_PAUSE_MS = 5_000;
const MAX_OPTED_OUT_MS = 3_000;

/** The period in which a recipient had opted out; Unix milliseconds. */
export interface OptOut {
  from: number;
  to: number;
}

export interface Recipient {
  /** E.164. */
  number: string;
  /** The only organization that writes to the number. */
  organization: number;
  /** Whether the recipient wrote a message, which allows free-form answers. */
  hasWritten: boolean;
  /** Whether the recipient got a message, which assigns later keywords to the organization. */
  hasReceived: boolean;
  optOuts: OptOut[];
  /** The consent after the last acknowledged keyword. */
  consent: 'opted_in' | 'opted_out' | null;
}

/** Recipients who write messages, opt out with STOP and opt in again with START. */
export class RecipientWorkload extends Workload {
  readonly recipients: readonly Recipient[];
  /** The provider's ids of all messages that were written and acknowledged. */
  readonly written: string[] = [];

  constructor(
    private readonly webhooks: WebhookWorkload,
    organizations: number,
  ) {
    super();
    this.recipients = Array.from({ length: organizations * RECIPIENTS_PER_ORGANIZATION }, (_, index) => ({
      number: `+9199${String(index).padStart(8, '0')}`,
      organization: index % organizations,
      hasWritten: false,
      hasReceived: false,
      optOuts: [],
      consent: null,
    }));
  }

  override start(): this {
    return super.start(this.recipients.length);
  }

  protected async runOnce(lane: number): Promise<void> {
    await this.pause(Math.random() * MAX_PAUSE_MS);
    const recipient = this.recipients[lane];
    if (!recipient || !this.isRunning) return;
    if (recipient.hasReceived && recipient.hasWritten && Math.random() < OPT_OUT_SHARE) {
      await this.optOutForAWhile(recipient);
    } else {
      await this.write(recipient, 'hello');
      recipient.hasWritten = true;
    }
  }

  private async optOutForAWhile(recipient: Recipient): Promise<void> {
    await this.write(recipient, 'STOP');
    recipient.consent = 'opted_out';
    // The database stores microseconds: a message of this millisecond may precede the keyword.
    const optOut = { from: Date.now() + 1, to: Number.MAX_SAFE_INTEGER };
    recipient.optOuts.push(optOut);
    await this.pause(Math.random() * MAX_OPTED_OUT_MS);
    if (!this.isRunning) return;
    optOut.to = Date.now();
    await this.write(recipient, 'start');
    recipient.consent = 'opted_in';
  }

  private async write({ number }: Recipient, body: string): Promise<void> {
    const id = `wamid.chaos-${randomUUID()}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    await this.webhooks.post({ from: number, id, timestamp, message: { type: 'text', text: { body } } });
    this.written.push(id);
  }
}
