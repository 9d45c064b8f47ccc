import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { benchKey } from '@heliograph/harness';
import { pick } from '../random';
import { untilAnswered, type Conduct } from '../until-answered';
import type { Person } from './people';

const LANES = 6;
const PACE_MS = 150;
const REPEATED_SHARE = 0.1;
const TEXT_SHARE = 0.7;

/** The template of each category that is sent by one. */
export const TEMPLATES = { utility: 'chaos_notice', marketing: 'chaos_offer' } as const;

export interface AnsweredChat {
  id: string;
  chatappMessageId: string;
}

/**
 * Organizations that write to their people: free text to who has written, templates to anybody. Each send has an
 * Idempotency-Key and is tried, at either process, until it is answered for good; now and then an answered one is sent
 * once more, which must give the same answer.
 */
export class Chatter implements Conduct {
  /** By idempotency key. */
  readonly answered = new Map<string, AnsweredChat>();
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private readonly lanes: Promise<void>[];

  constructor(
    private readonly urls: readonly string[],
    private readonly people: readonly Person[],
  ) {
    this.lanes = Array.from({ length: LANES }, () => this.run());
  }

  /** Nothing new; resolves when all that was begun is answered. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  private async run(): Promise<void> {
    while (this.running) {
      await this.write(pick(this.people));
      await delay(PACE_MS);
    }
  }

  private async write(person: Person): Promise<void> {
    const key = randomUUID();
    const headers = {
      authorization: `Bearer ${benchKey(person.organization)}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const call = {
      name: `the chat ${key} to ${person.number}`,
      url: () => `${pick(this.urls)}/chatapp/send`,
      headers: () => headers,
      body: JSON.stringify({ to: person.number, ...contentFor(person) }),
      // The platform refuses it for good; the person wants none; the workspace is out of credits.
      mayRefuse: /The platform refused this|RECIPIENT_OPTED_OUT|INSUFFICIENT_CREDITS/,
    };
    const answer = await untilAnswered<AnsweredChat>(call, this);
    if (!answer) return;
    this.answered.set(key, answer);
    person.isReached = true;
    if (Math.random() >= REPEATED_SHARE) return;
    const again = await untilAnswered<AnsweredChat>(call, this);
    if (isDeepStrictEqual(again, answer)) return;
    this.problems.push(`${call.name} was answered ${JSON.stringify(answer)} and, repeated, ${JSON.stringify(again)}`);
  }
}

function contentFor({ hasWritten }: Person): object {
  if (hasWritten && Math.random() < TEXT_SHARE) return { text: 'One of many.' };
  const category = pick(['utility', 'marketing'] as const);
  return { type: 'template', category, template: { name: TEMPLATES[category], language: 'en_US' } };
}
