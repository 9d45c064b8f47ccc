import { randomUUID } from 'node:crypto';
import { benchKey, upTo } from '@heliograph/bench-data';
import type { MailboxSimulator } from '@heliograph/simulators';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';

const LANES = 6;
const PAUSE_MS = 200;
const REPEATED_SHARE = 0.1;
const SCHEDULED_SHARE = 0.2;
const CANCELED_SHARE = 0.5;
/** The share of recipients that the mail server always rejects. */
const INVALID_SHARE = 0.02;
const INVALID_ADDRESSES = 20;
const MAX_SCHEDULED_MS = 6_000;

/** The sender address of the nth organization. */
export function emailSender(organization: number): string {
  return `hello@mail-${organization}.chaos.example`;
}

interface RecipientAnswer {
  to: string;
  ok: boolean;
  skipped: boolean;
}

export interface EmailAnswer {
  id: string;
  results: RecipientAnswer[];
}

/** Clients that send emails to one or many recipients, schedule and cancel some, each until it is answered. */
export class EmailWorkload extends Workload implements LoadSource {
  readonly answered: EmailAnswer[] = [];
  /** The ids of messages whose cancellation was acknowledged. */
  readonly canceled: string[] = [];
  private number = 0;

  constructor(
    private readonly url: string,
    private readonly organizations: number,
    private readonly mailbox: MailboxSimulator,
  ) {
    super();
  }

  override start(): this {
    for (let index = 0; index < INVALID_ADDRESSES; index++) {
      this.mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, invalidAddress(index));
    }
    return super.start(LANES);
  }

  summary(): string {
    return `${this.answered.length} emails accepted`;
  }

  protected async runOnce(): Promise<void> {
    const number = this.number++;
    const isScheduled = Math.random() < SCHEDULED_SHARE;
    const key = benchKey(number % this.organizations);
    const answer = await this.send(number, key, isScheduled);
    if (answer && isScheduled && Math.random() < CANCELED_SHARE) {
      await this.pause(Math.random() * MAX_SCHEDULED_MS);
      await this.cancel(answer.id, key);
    }
    await this.pause(PAUSE_MS);
  }

  private async send(number: number, bearerToken: string, isScheduled: boolean): Promise<EmailAnswer | null> {
    const scheduledAt = new Date(Date.now() + 1_000 + Math.random() * MAX_SCHEDULED_MS).toISOString();
    const answer = await this.callAndRepeat<EmailAnswer>(
      {
        name: `email ${number}`,
        url: `${this.url}/email/send`,
        bearerToken,
        idempotencyKey: randomUUID(),
        body: {
          to: recipientsOf(number),
          // Identifies the email, together with its recipient, at the mail server.
          subject: `Mail ${number}`,
          text: 'Content.',
          ...(isScheduled ? { scheduledAt } : {}),
        },
        // The mail server rejected it, or the scheduled time passed before the email was accepted.
        mayRefuse: /EMAIL_SEND_FAILED|INVALID_SEND_TIME/,
      },
      { share: REPEATED_SHARE, compare: ({ id }) => id, mayRefuse: true },
    );
    if (answer) this.answered.push(answer);
    return answer;
  }

  private async cancel(id: string, bearerToken: string): Promise<void> {
    const answer = await callUntilAnswered<object>(
      {
        name: `the cancellation of email ${id}`,
        url: `${this.url}/email/cancel?id=${id}`,
        bearerToken,
        // The email was sent, or an earlier attempt canceled it.
        mayRefuse: /NOT_CANCELABLE/,
      },
      this,
    );
    if (answer) this.canceled.push(id);
  }
}

/** Half of the emails have one recipient, a tenth has up to 50. */
function recipientsOf(number: number): string[] {
  const chance = Math.random();
  const count = upTo(chance < 0.5 ? 1 : chance < 0.9 ? 10 : 50);
  const addresses = Array.from({ length: count }, (_, index) =>
    Math.random() < INVALID_SHARE
      ? invalidAddress(upTo(INVALID_ADDRESSES) - 1)
      : `reader-${number}-${index}@readers.example`,
  );
  return [...new Set(addresses)];
}

function invalidAddress(index: number): string {
  return `invalid-${index}@readers.example`;
}
