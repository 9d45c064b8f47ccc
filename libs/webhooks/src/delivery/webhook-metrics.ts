import { Inject, Injectable } from '@nestjs/common';
import { METRICS, sharedReading } from '@heliograph/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Clock } from '../clock';
import { QueueRepository } from './queue.repository';
import { DeliveryRole } from './delivery-role';

type Outcome = 'delivered' | 'failed';
const OUTCOMES: readonly Outcome[] = ['delivered', 'failed'];

/** Attempts by outcome; depth, lag and open circuits, read from the database when the metrics are read. */
@Injectable()
export class WebhookMetrics {
  /** Attempts since the metrics were read. */
  private readonly counts = { delivered: 0, failed: 0 };

  constructor(@Inject(METRICS) registry: Registry, role: DeliveryRole, queue: QueueRepository, clock: Clock) {
    const registers = [registry];
    const { counts } = this;
    new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts of webhook deliveries, by outcome',
      labelNames: ['outcome'],
      registers,
      collect() {
        for (const outcome of OUTCOMES) {
          this.inc({ outcome }, counts[outcome]);
          counts[outcome] = 0;
        }
      },
    });
    if (!role.delivers) return;
    const read = sharedReading(() => queue.stateAcrossTenants(clock.now()));
    new Gauge({
      name: 'webhook_pending',
      help: 'Deliveries that are not finished',
      registers,
      async collect() {
        this.set((await read()).pending);
      },
    });
    new Gauge({
      name: 'webhook_open_circuits',
      help: 'Endpoints whose circuit is open',
      registers,
      async collect() {
        this.set((await read()).openCircuits);
      },
    });
    new Gauge({
      name: 'webhook_lag_seconds',
      help: 'Waiting time of the oldest due delivery',
      registers,
      async collect() {
        this.set((await read()).lagSeconds);
      },
    });
  }

  count(outcome: Outcome): void {
    this.counts[outcome]++;
  }
}
