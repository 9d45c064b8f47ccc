import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformSimulator, SentMessage } from '@heliograph/simulators';
import { pick } from '../random';
import type { Courier } from './courier';
import { TOO_SLOW_MS } from './platform-moods';

const LOOK_EVERY_MS = 20;
/** Of the messages: their statuses are under way at once, and overtake the answer to the send. */
const AT_ONCE_SHARE = 0.5;
const SOON_MS = 3_000;
/** Of the messages: nobody waits for an answer any more when they come. */
const LATE_SHARE = 0.15;
const LATE_MS = { from: 5_500, to: 8_000 };
const STEP_MS = 400;
const DISORDERED_SHARE = 0.3;
/** Of the statuses: they come a second time, without the id that we gave the message. */
const NAMELESS_SHARE = 0.2;

/** What becomes of a message. */
export type Story = readonly ('sent' | 'delivered' | 'read' | 'failed')[];

const STORIES: readonly Story[] = [
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered'],
  ['sent', 'delivered'],
  ['sent', 'read'],
  ['sent'],
  ['sent', 'failed'],
  ['failed'],
  ['failed', 'delivered'],
];

/** Where a story ends, in whatever order it was told. */
export function endOf(story: Story): string {
  return (['read', 'delivered', 'failed'] as const).find((status) => story.includes(status)) ?? 'sent';
}

/** The platform as it tells of every message that it took: at once, soon or late, in any order, some of it twice. */
export class StatusTeller {
  /** By the platform's ids. */
  readonly stories = new Map<string, Story>();
  private readonly underWay = new Set<Promise<void>>();
  private running = true;
  private readonly looking: Promise<void>;

  constructor(
    private readonly platform: PlatformSimulator,
    private readonly courier: Courier,
  ) {
    this.looking = this.run();
  }

  /** Once nobody sends any more; resolves when everything is told and acknowledged. */
  async stop(): Promise<void> {
    // What waits in the platform may still be taken.
    await delay(TOO_SLOW_MS);
    this.running = false;
    await this.looking;
    await Promise.all(this.underWay);
  }

  private async run(): Promise<void> {
    while (this.running) {
      await delay(LOOK_EVERY_MS);
      for (const message of this.platform.messages().slice(this.stories.size)) this.begin(message);
    }
  }

  private begin({ id }: SentMessage): void {
    const story = pick(STORIES);
    this.stories.set(id, story);
    const chance = Math.random();
    const wait =
      chance < AT_ONCE_SHARE
        ? 0
        : chance < 1 - LATE_SHARE
          ? Math.random() * SOON_MS
          : between(LATE_MS.from, LATE_MS.to);
    const inOrder = Math.random() < DISORDERED_SHARE ? story.toReversed() : story;
    for (const [place, status] of inOrder.entries()) this.tell(id, status, wait + place * Math.random() * STEP_MS);
  }

  private tell(id: string, status: string, waitMs: number): void {
    const told = delay(waitMs).then(async () => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Message undeliverable' }] } : {};
      const update = { id, status, timestamp, ...errors };
      const nameless = Math.random() < NAMELESS_SHARE ? [this.courier.tell({ ...update, callbackData: '' })] : [];
      await Promise.all([...nameless, this.courier.tell(update)]);
    });
    this.underWay.add(told);
    void told.finally(() => this.underWay.delete(told));
  }
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low);
}
