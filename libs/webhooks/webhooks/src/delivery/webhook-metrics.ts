import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@heliograph/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Clock } from '../clock';
import { QueueRepository } from './queue.repository';
import { DeliveryRole } from './delivery-role';

/** Attempts by outcome; depth, lag and open circuits, read from the database when the metrics are read. */
@Injectable()
export class WebhookMetrics {
  private readonly counters: Record<'delivered' | 'failed', Counter.Internal>;

  constructor(@Inject(METRICS) registry: Registry, role: DeliveryRole, queue: QueueRepository, clock: Clock) {
    const registers = [registry];
    const attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts of webhook deliveries, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.counters = { delivered: attempts.labels('delivered'), failed: attempts.labels('failed') };
    if (!role.delivers) return;
    const pending = new Gauge({ name: 'webhook_pending', help: 'Deliveries that are not finished', registers });
    const open = new Gauge({ name: 'webhook_open_circuits', help: 'Endpoints whose circuit is open', registers });
    new Gauge({
      name: 'webhook_lag_seconds',
      help: 'How long the oldest due delivery waits',
      registers,
      async collect() {
        const state = await queue.stateAcrossTenants(clock.now());
        this.set(state.lagSeconds);
        pending.set(state.pending);
        open.set(state.openCircuits);
      },
    });
  }

  count(outcome: 'delivered' | 'failed'): void {
    this.counters[outcome].inc();
  }
}
