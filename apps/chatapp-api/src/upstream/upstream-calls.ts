import { type Registry, Histogram } from 'prom-client';
import type { Logger } from '@heliograph/service-kit';
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

/** Metrics of the calls to the provider: duration, result, and whether the provider responds. */
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
      help: 'Duration of calls to the provider by call and by result: the HTTP status, refused, unreachable or unanswered',
      labelNames: ['call', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers: [registry],
    });
  }

  /** True if the last call received no response. */
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
      'the chat-app provider does not respond',
    );
  }

  private observe(call: CallName, outcome: string, startedAt: number): void {
    this.duration.observe({ call, outcome }, (performance.now() - startedAt) / 1_000);
  }
}
