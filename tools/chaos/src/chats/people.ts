import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Courier } from './courier';

const PEOPLE_OF_EACH = 10;
const STOP_SHARE = 0.15;

/** From when to when somebody did not want to hear anything, in milliseconds since 1970. */
export interface OptOut {
  from: number;
  to: number;
}

export interface Person {
  /** Digits after a plus. */
  number: string;
  /** The only one that writes to the number. */
  organization: number;
  /** Has written, so that one may write back. */
  hasWritten: boolean;
  /** Has been written to, so that a keyword is known to be meant for the organization. */
  isReached: boolean;
  optOuts: OptOut[];
  /** As the last keyword that was acknowledged has it. */
  consent: 'opted_in' | 'opted_out' | null;
}

/** People who write now and then, say STOP, and START again after a while. */
export class People {
  readonly all: readonly Person[];
  /** The platform's ids of what they wrote, all of it acknowledged. */
  readonly written: string[] = [];
  private readonly stopping = new AbortController();
  private readonly lives: Promise<void>[];

  constructor(
    private readonly courier: Courier,
    organizations: number,
  ) {
    this.all = Array.from({ length: organizations * PEOPLE_OF_EACH }, (_, index) => ({
      number: `+9199${String(index).padStart(8, '0')}`,
      organization: index % organizations,
      hasWritten: false,
      isReached: false,
      optOuts: [],
      consent: null,
    }));
    // Each of them may be in a pause.
    setMaxListeners(this.all.length, this.stopping.signal);
    this.lives = this.all.map((person) => this.live(person));
  }

  /** Nothing new; resolves when all that was written is acknowledged. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.lives);
  }

  private async live(person: Person): Promise<void> {
    await this.pause(3_000);
    while (!this.stopping.signal.aborted) {
      await this.write(person, 'hello');
      person.hasWritten = true;
      await this.pause(5_000);
      if (person.isReached && Math.random() < STOP_SHARE) await this.keepQuiet(person);
    }
  }

  private async keepQuiet(person: Person): Promise<void> {
    await this.write(person, 'STOP');
    person.consent = 'opted_out';
    // The clock of the database has microseconds: what it wrote within this millisecond may have been before.
    const optOut = { from: Date.now() + 1, to: Number.MAX_SAFE_INTEGER };
    person.optOuts.push(optOut);
    await this.pause(3_000);
    if (this.stopping.signal.aborted) return;
    optOut.to = Date.now();
    await this.write(person, 'start');
    person.consent = 'opted_in';
  }

  private async write({ number }: Person, body: string): Promise<void> {
    const id = `wamid.chaos-${randomUUID()}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    await this.courier.tell({ from: number, id, timestamp, message: { type: 'text', text: { body } } });
    this.written.push(id);
  }

  private pause(most: number): Promise<void> {
    const signal = this.stopping.signal;
    return delay(Math.random() * most, undefined, { signal }).catch(() => undefined);
  }
}
