import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformSimulator, UpdateInput } from '@heliograph/simulators';
import type { Conduct } from '../until-answered';

const LANES = 3;
const MOST_IN_A_BATCH = 40;
const DOUBLED_SHARE = 0.1;
const REPEATED_SHARE = 0.1;
const GIVE_UP_MS = 120_000;

interface Parcel {
  update: UpdateInput;
  onTaken: () => void;
}

/**
 * Brings webhooks as the platform does: many updates in one, in any order and some of them twice, each until it is
 * answered with 200, and now and then once more after that.
 */
export class Courier implements Conduct {
  readonly problems: string[] = [];
  retries = 0;
  private waiting: Parcel[] = [];
  private running = true;
  private readonly lanes: Promise<void>[];

  constructor(private readonly platform: PlatformSimulator) {
    this.lanes = Array.from({ length: LANES }, () => this.run());
  }

  /** Resolves when the receiver has answered 200. */
  tell(update: UpdateInput): Promise<void> {
    return new Promise((resolve) => this.waiting.push({ update, onTaken: resolve }));
  }

  /** Resolves when everything is delivered. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  private async run(): Promise<void> {
    while (this.running || this.waiting.length > 0) {
      const parcels = this.waiting.splice(0, 1 + Math.floor(Math.random() * MOST_IN_A_BATCH));
      if (parcels.length === 0) {
        await delay(10);
        continue;
      }
      await this.deliver(parcels.map(({ update }) => update));
      for (const { onTaken } of parcels) onTaken();
      if (Math.random() < REPEATED_SHARE) {
        this.waiting.push(...parcels.map(({ update }) => ({ update, onTaken: () => undefined })));
      }
    }
  }

  private async deliver(updates: UpdateInput[]): Promise<void> {
    const doubled = updates.filter(() => Math.random() < DOUBLED_SHARE);
    const webhook = shuffled([...updates, ...doubled]);
    for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline;) {
      // Without an answer it is not known what became of it: that is what repeats are for.
      const answer = await this.platform.postUpdates(webhook).catch(() => null);
      if (answer?.status === 200) return;
      if (answer && answer.status !== 503) {
        this.problems.push(`a webhook was answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        if (answer.status < 500) return;
      }
      this.retries++;
      await delay(100 + Math.random() * 300);
    }
    this.problems.push('a webhook was not answered with 200 in two minutes');
  }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
