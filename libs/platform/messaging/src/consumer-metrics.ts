import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Bus } from './bus';
import type { ObserveEvent } from './event-consumer';

/** Metrics of the queues that this process consumes. */
export class ConsumerMetrics {
  private readonly results: Counter<'queue' | 'result'>;
  private readonly ages: Histogram<'queue'>;
  private readonly queues = new Set<string>();

  constructor(registry: Registry, bus: Bus) {
    const registers = [registry];
    const { queues } = this;
    this.results = new Counter({
      name: 'consumer_events_total',
      help: 'Deliveries of events by result: `consumed`; `later`, the consumer asked for it again; `unavailable`, a server was; `failed`, retried; `dead` and `malformed`, dead-lettered',
      labelNames: ['queue', 'result'],
      registers,
    });
    this.ages = new Histogram({
      name: 'consumer_event_age_seconds',
      help: 'Age of an event when its consumer ended, since it happened or was due',
      labelNames: ['queue'],
      buckets: [0.05, 0.25, 1, 5, 30, 120, 600, 3600],
      registers,
    });
    const perQueue = (name: string, help: string, read: (queue: string) => Promise<number | null>): void => {
      new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers,
        async collect() {
          this.reset();
          for (const queue of queues) {
            const value = await read(queue).catch(() => null);
            if (value !== null) this.set({ queue }, value);
          }
        },
      });
    };
    perQueue('queue_messages', 'Events that wait in a queue', (queue) => bus.depth(queue));
    perQueue('queue_dead_letters', 'Dead letters of a queue', (queue) => bus.deadLetterCount(queue));
  }

  /** Adds a queue, and returns what its consumer reports to. */
  observerOf(queue: string): ObserveEvent {
    this.queues.add(queue);
    const ages = this.ages.labels({ queue });
    return (result, ageSeconds) => {
      this.results.inc({ queue, result });
      if (result === 'consumed') ages.observe(ageSeconds);
    };
  }
}
