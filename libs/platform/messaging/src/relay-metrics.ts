import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from './backlog';
import type { Relay } from './relay';

/** Gauges of the way from the outbox to the bus, read when somebody asks. */
export function registerRelayMetrics(registry: Registry, relay: Relay, backlog: Backlog): void {
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('outbox_backlog', 'Due events that wait for the bus', () => backlog.size);
  gauge('relay_published_total', 'Events handed to the bus', () => relay.published);
  gauge('relay_refused_total', 'Events that the bus did not take', () => relay.refused);
}
