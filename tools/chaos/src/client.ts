import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { benchKey } from '@heliograph/harness';

const SENDERS = 24;
const PACE_MS = 60;
const CALL_TIMEOUT_MS = 8_000;

/**
 * Callers as they should be: every message has an Idempotency-Key, and is tried again until it is answered for good.
 * Now and then an answered one is sent once more, which must give the same message.
 */
export class Callers {
  /** Message ids by idempotency key. */
  readonly accepted = new Map<string, string>();
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private number = 0;
  private readonly senders: Promise<void>[];

  constructor(
    private readonly port: number,
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

  private async send(number: number, key: string): Promise<string> {
    for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
      try {
        const answer = await fetch(`http://127.0.0.1:${this.port}/sms/send`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${benchKey(number % this.organizations)}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({
            from: 'BENCHS',
            to: `+9198${String(number).padStart(8, '0')}`,
            variables: { code: String(number) },
          }),
          signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        });
        const body = (await answer.json()) as { messageId?: string; code?: string };
        if (answer.status === 200 && body.messageId) {
          this.accepted.set(key, body.messageId);
          return body.messageId;
        }
        if (answer.status < 500 && body.code !== 'IDEMPOTENCY_IN_PROGRESS') {
          this.problems.push(`a valid send was refused: ${answer.status} ${body.code}`);
          return '';
        }
        if (answer.status === 500) this.problems.push(`a send was answered 500`);
        if (answer.status === 503 && !answer.headers.get('retry-after'))
          this.problems.push('a 503 came without Retry-After');
      } catch {
        // No answer: what became of it is for the next try to find out.
      }
      this.retries++;
      await delay(200 + Math.random() * 300);
    }
    this.problems.push(`message ${number} was not answered in two minutes`);
    return '';
  }
}
