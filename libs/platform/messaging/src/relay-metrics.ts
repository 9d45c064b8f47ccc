import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from './backlog';
import type { Relay } from './relay';

/** Registers the gauges of outbox and relay. */
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
  gauge('outbox_backlog', 'Due events in the outbox', () => backlog.size);
  gauge('relay_published_total', 'Events published to the bus', () => relay.published);
  gauge('relay_refused_total', 'Events rejected by the bus', () => relay.refused);
}
