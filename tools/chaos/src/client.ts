import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/harness';
import { untilAnswered, type Conduct } from './until-answered';

const SENDERS = 24;
const PACE_MS = 60;

/**
 * Callers as they should be: every message has an Idempotency-Key, and is tried again until it is answered for good.
 * Now and then an answered one is sent once more, which must give the same message.
 */
export class Callers implements Conduct {
  /** Message ids by idempotency key. */
  readonly accepted = new Map<string, string>();
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private number = 0;
  private readonly senders: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly organizations: number,
  ) {
    this.senders = Array.from({ length: SENDERS }, () => this.run());
  }

  /** No new messages; resolves when all that were begun are answered. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.senders);
  }

  private async run(): Promise<void> {
    while (this.running) {
      const number = this.number++;
      const key = randomUUID();
      const id = await this.send(number, key);
      if (number % 10 === 0) {
        const again = await this.send(number, key);
        if (again !== id) this.problems.push(`the key ${key} made two messages: ${id} and ${again}`);
      }
      await delay(PACE_MS);
    }
  }

  private async send(number: number, key: string): Promise<string | null> {
    const answer = await untilAnswered<{ messageId: string }>(
      {
        name: `the send ${number}`,
        url: `${this.url}/sms/send`,
        headers: () => ({
          authorization: `Bearer ${benchKey(number % this.organizations)}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        }),
        body: JSON.stringify({
          from: 'BENCHS',
          to: `+9198${String(number).padStart(8, '0')}`,
          variables: { code: String(number) },
        }),
      },
      this,
    );
    if (!answer) return null;
    this.accepted.set(key, answer.messageId);
    return answer.messageId;
  }
}
