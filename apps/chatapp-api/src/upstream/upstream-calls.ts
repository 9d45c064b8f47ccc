import { type Registry, Histogram } from 'prom-client';
import type { Logger } from '@heliograph/platform';
import type { NoAnswer } from './exchange';

export type CallName =
  | 'send'
  | 'mark-read'
  | 'upload'
  | 'media-lookup'
  | 'media-download'
  | 'template-list'
  | 'template-create'
  | 'template-delete';

const WARN_EVERY_MS = 1_000;

/** What is known of the calls to the upstream: how long they took, what they came to, whether anybody answers. */
export class UpstreamCalls {
  private readonly duration: Histogram<'call' | 'outcome'>;
  private failing = false;
  private warnedAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly log: Logger,
  ) {
    this.duration = new Histogram({
      name: 'chatapp_upstream_duration_seconds',
      help: 'Time until the upstream has answered, by call and by what it came to: the status, refused, unreachable, unanswered',
      labelNames: ['call', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers: [registry],
    });
  }

  /** The last call got no answer. */
  get isDown(): boolean {
    return this.failing;
  }

  answered(call: CallName, status: number, startedAt: number): void {
    this.failing = false;
    this.observe(call, `${Math.floor(status / 100)}xx`, startedAt);
  }

  unanswered(call: CallName, error: NoAnswer, startedAt: number): void {
    this.failing = true;
    this.observe(call, error.wasStarted ? 'unanswered' : 'unreachable', startedAt);
    const now = performance.now();
    if (now - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = now;
    this.log.warn(
      { call, reason: error.reason, wasStarted: error.wasStarted },
      'the chat-app upstream does not answer',
    );
  }

  private observe(call: CallName, outcome: string, startedAt: number): void {
    this.duration.observe({ call, outcome }, (performance.now() - startedAt) / 1_000);
  }
}
