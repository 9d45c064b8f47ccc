import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/harness';
import type { MailboxSimulator } from '@heliograph/simulators';
import { untilAnswered, type Conduct } from '../until-answered';

const LANES = 6;
const PACE_MS = 200;
const REPEATED_SHARE = 0.1;
const SCHEDULED_SHARE = 0.2;
const CANCELED_SHARE = 0.5;
/** Of the addresses: some are dead from the start, and their senders try again and again. */
const DEAD_SHARE = 0.02;
const DEAD_ADDRESSES = 20;
const MOST_AHEAD_MS = 6_000;

interface RecipientAnswer {
  to: string;
  ok: boolean;
  skipped: boolean;
}

export interface AnsweredSend {
  id: string;
  results: RecipientAnswer[];
}

/**
 * People who send to one or to many, now or in a moment, and cancel some of it. Each send has an Idempotency-Key and is
 * tried until it is answered for good; now and then an answered one is sent once more, which must be the same send.
 */
export class Mailer implements Conduct {
  readonly answered: AnsweredSend[] = [];
  /** The ids of sends whose cancellation was confirmed. */
  readonly canceled: string[] = [];
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private number = 0;
  private readonly lanes: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly organizations: number,
    mailbox: MailboxSimulator,
  ) {
    for (let index = 0; index < DEAD_ADDRESSES; index++) {
      mailbox.behave({ reply: { code: 550, text: '5.1.1 no such user' } }, deadAddress(index));
    }
    this.lanes = Array.from({ length: LANES }, () => this.run());
  }

  /** Nothing new; resolves when all that was begun is answered. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  private async run(): Promise<void> {
    while (this.running) {
      const number = this.number++;
      const isScheduled = Math.random() < SCHEDULED_SHARE;
      const key = benchKey(number % this.organizations);
      const sent = await this.send(number, key, isScheduled);
      if (sent && isScheduled && Math.random() < CANCELED_SHARE) {
        await delay(Math.random() * MOST_AHEAD_MS);
        await this.cancel(sent.id, key);
      }
      await delay(PACE_MS);
    }
  }

  private async send(number: number, key: string, isScheduled: boolean): Promise<AnsweredSend | null> {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const leavesAt = new Date(Date.now() + 1_000 + Math.random() * MOST_AHEAD_MS);
    const call = {
      name: `the mail ${number}`,
      url: `${this.url}/email/send`,
      headers: () => headers,
      body: JSON.stringify({
        to: recipientsOf(number),
        // With its recipient, this is the name of a mail wherever it turns up.
        subject: `Mail ${number}`,
        text: 'One of many.',
        ...(isScheduled ? { scheduledAt: leavesAt.toISOString() } : {}),
      }),
      // The backend refuses it; or it was not taken before the time at which it was to leave.
      mayRefuse: /EMAIL_SEND_FAILED|INVALID_SEND_TIME/,
    };
    const answer = await untilAnswered<AnsweredSend>(call, this);
    if (!answer) return null;
    this.answered.push(answer);
    if (Math.random() < REPEATED_SHARE) {
      const again = await untilAnswered<AnsweredSend>(call, this);
      if (again && again.id !== answer.id) this.problems.push(`${call.name} became ${answer.id} and ${again.id}`);
    }
    return answer;
  }

  private async cancel(id: string, key: string): Promise<void> {
    const answer = await untilAnswered<object>(
      {
        name: `canceling ${id}`,
        url: `${this.url}/email/cancel?id=${id}`,
        headers: () => ({ authorization: `Bearer ${key}` }),
        // It has left; or a try before this one has canceled it.
        mayRefuse: /NOT_CANCELABLE/,
      },
      this,
    );
    if (answer) this.canceled.push(id);
  }
}

/** Half of the sends have one recipient; a tenth is a fan-out. */
function recipientsOf(number: number): string[] {
  const chance = Math.random();
  const most = chance < 0.5 ? 1 : chance < 0.9 ? 10 : 50;
  const count = 1 + Math.floor(Math.random() * most);
  const addresses = Array.from({ length: count }, (_, index) =>
    Math.random() < DEAD_SHARE
      ? deadAddress(Math.floor(Math.random() * DEAD_ADDRESSES))
      : `reader-${number}-${index}@readers.example`,
  );
  return [...new Set(addresses)];
}

function deadAddress(index: number): string {
  return `dead-${index}@readers.example`;
}
