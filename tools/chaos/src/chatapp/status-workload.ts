import { setTimeout as delay } from 'node:timers/promises';
import { pick } from '@heliograph/bench-data';
import type { ProviderSimulator, SentMessage } from '@heliograph/simulators';
import { Workload } from '../workload';
import { SLOW_ANSWER_MS } from './provider-fault-injector';
import type { WebhookWorkload } from './webhook-workload';

const POLL_MS = 20;
/** The share of messages whose statuses are posted immediately and may overtake the response to the send. */
const IMMEDIATE_SHARE = 0.5;
const SOON_MS = 3_000;
/** The share of messages whose statuses are posted after the service has stopped waiting. */
const LATE_SHARE = 0.15;
const LATE_MS = { from: 5_500, to: 8_000 };
const STEP_MS = 400;
const REVERSED_SHARE = 0.3;
/** The share of statuses that are posted a second time, without the callback data of the send. */
const ANONYMOUS_SHARE = 0.2;

/** The statuses that the provider reports for a message. */
export type StatusSequence = readonly ('sent' | 'delivered' | 'read' | 'failed')[];

const SEQUENCES: readonly StatusSequence[] = [
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

/** The status that a message must have after a sequence of statuses, regardless of their order. */
export function finalStatus(sequence: StatusSequence): string {
  return (['read', 'delivered', 'failed'] as const).find((status) => sequence.includes(status)) ?? 'sent';
}

/**
 * The provider's delivery statuses of every accepted message: immediately, soon or late, in any order, some of them
 * twice.
 */
export class StatusWorkload extends Workload {
  /** By the provider's message id. */
  readonly sequences = new Map<string, StatusSequence>();
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly provider: ProviderSimulator,
    private readonly webhooks: WebhookWorkload,
  ) {
    super();
  }

  /** Stop the senders first. Resolves when all statuses are acknowledged. */
  override async stop(): Promise<void> {
    // The provider may still accept calls that it delays.
    await delay(SLOW_ANSWER_MS);
    await super.stop();
    await Promise.all(this.pending);
  }

  protected async runOnce(): Promise<void> {
    await this.pause(POLL_MS);
    for (const message of this.provider.messages().slice(this.sequences.size)) this.report(message);
  }

  private report({ id }: SentMessage): void {
    const sequence = pick(SEQUENCES);
    this.sequences.set(id, sequence);
    const waitMs = randomWait();
    const ordered = Math.random() < REVERSED_SHARE ? sequence.toReversed() : sequence;
    for (const [index, status] of ordered.entries()) {
      const posted = this.post(id, status, waitMs + index * Math.random() * STEP_MS);
      this.pending.add(posted);
      void posted.finally(() => this.pending.delete(posted));
    }
  }

  private async post(id: string, status: string, waitMs: number): Promise<void> {
    await delay(waitMs);
    const timestamp = Math.floor(Date.now() / 1_000);
    const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Message undeliverable' }] } : {};
    const update = { id, status, timestamp, ...errors };
    const anonymous = Math.random() < ANONYMOUS_SHARE ? [this.webhooks.post({ ...update, callbackData: '' })] : [];
    await Promise.all([...anonymous, this.webhooks.post(update)]);
  }
}

function randomWait(): number {
  const chance = Math.random();
  if (chance < IMMEDIATE_SHARE) return 0;
  if (chance < 1 - LATE_SHARE) return Math.random() * SOON_MS;
  return LATE_MS.from + Math.random() * (LATE_MS.to - LATE_MS.from);
}
