import { Gauge, type Registry } from 'prom-client';
import type { StoredQueues } from './stored-queues';

/** Waiting events and their waiting time, by queue, of the queues that this process consumes. */
export function registerStoredQueueMetrics(registry: Registry, queues: StoredQueues): void {
  const registers = [registry];
  const labelNames = ['queue'];
  new Gauge({
    name: 'stored_events_waiting',
    help: 'Events that wait in a queue in PostgreSQL',
    labelNames,
    registers,
    async collect() {
      for (const queue of queues.consumed) this.set({ queue }, (await queues.depth(queue)) ?? 0);
    },
  });
  new Gauge({
    name: 'stored_events_longest_wait_seconds',
    help: 'Longest time that an event has waited in a queue in PostgreSQL before this process took it, since the metrics were read',
    labelNames,
    registers,
    collect() {
      for (const queue of queues.consumed) this.set({ queue }, queues.takeLongestWait(queue) / 1000);
    },
  });
}
