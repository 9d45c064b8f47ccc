import { setTimeout as delay } from 'node:timers/promises';
import { upTo } from '@heliograph/bench-data';
import type { ProviderSimulator, UpdateInput } from '@heliograph/simulators';
import { GIVE_UP_MS } from '../call';
import { Workload } from '../workload';

const LANES = 3;
const MAX_BATCH = 40;
const DUPLICATED_SHARE = 0.1;
const REPEATED_SHARE = 0.1;
const IDLE_MS = 10;

interface PendingUpdate {
  update: UpdateInput;
  onAcknowledged: () => void;
}

/**
 * Posts webhooks as the provider does: several updates in one request, in any order and some of them twice, each request
 * until it is answered with 200, and some of them again after that.
 */
export class WebhookWorkload extends Workload {
  private readonly pending: PendingUpdate[] = [];

  constructor(private readonly provider: ProviderSimulator) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  /** Resolves when the receiver has acknowledged the update. */
  post(update: UpdateInput): Promise<void> {
    return new Promise((resolve) => this.pending.push({ update, onAcknowledged: resolve }));
  }

  protected override get isDone(): boolean {
    return super.isDone && this.pending.length === 0;
  }

  protected async runOnce(): Promise<void> {
    const batch = this.pending.splice(0, upTo(MAX_BATCH));
    if (batch.length === 0) return this.pause(IDLE_MS);
    await this.deliver(batch.map(({ update }) => update));
    for (const { onAcknowledged } of batch) onAcknowledged();
    if (Math.random() < REPEATED_SHARE) {
      this.pending.push(...batch.map(({ update }) => ({ update, onAcknowledged: () => undefined })));
    }
  }

  private async deliver(updates: UpdateInput[]): Promise<void> {
    const duplicates = updates.filter(() => Math.random() < DUPLICATED_SHARE);
    const webhook = shuffled([...updates, ...duplicates]);
    for (const deadline = Date.now() + GIVE_UP_MS; Date.now() < deadline;) {
      // Without an answer the outcome is unknown, and the webhook is repeated.
      const answer = await this.provider.postUpdates(webhook).catch(() => null);
      if (answer?.status === 200) return;
      if (answer && answer.status !== 503) {
        this.problems.push(`a webhook returned ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        if (answer.status < 500) return;
      }
      this.retries++;
      await delay(100 + Math.random() * 300);
    }
    this.problems.push(`a webhook was not acknowledged within ${GIVE_UP_MS / 1_000} s`);
  }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, position: Math.random() }))
    .sort((one, other) => one.position - other.position)
    .map(({ item }) => item);
}
