import { METRICS } from '@heliograph/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, type Registry } from 'prom-client';

export type UpdateKind = 'message' | 'status' | 'change';
export type UpdateResult = 'recorded' | 'repeated' | 'ignored' | 'malformed';

/** Metrics of the provider's updates. */
@Injectable()
export class UpdateMetrics {
  private readonly updates: Counter<'kind' | 'result'>;
  private readonly sizes: Histogram<'kind'>;
  private readonly durations: Histogram<'kind'>;

  constructor(@Inject(METRICS) registry: Registry) {
    const registers = [registry];
    this.updates = new Counter({
      name: 'chatapp_updates_received_total',
      help: 'Updates from the provider by kind and result',
      labelNames: ['kind', 'result'],
      registers,
    });
    this.sizes = new Histogram({
      name: 'chatapp_group_commit_size',
      help: 'Updates recorded per commit',
      labelNames: ['kind'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    });
    this.durations = new Histogram({
      name: 'chatapp_group_commit_seconds',
      help: 'Duration of a commit of updates',
      labelNames: ['kind'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
  }

  count(kind: UpdateKind, result: UpdateResult, many: number): void {
    if (many > 0) this.updates.inc({ kind, result }, many);
  }

  committed(kind: UpdateKind, size: number, durationMs: number): void {
    this.sizes.observe({ kind }, size);
    this.durations.observe({ kind }, durationMs / 1000);
  }
}
