import { Counter, Gauge, type Registry } from 'prom-client';
import type { Backlog } from './backlog';
import type { Relay } from './relay';

/** Registers the metrics of outbox and relay. */
export function registerRelayMetrics(registry: Registry, relay: Relay, backlog: Backlog): void {
  const registers = [registry];
  new Gauge({
    name: 'outbox_backlog',
    help: 'Due events in the outbox',
    registers,
    collect() {
      this.set(backlog.size);
    },
  });
  const counter = (name: string, help: string, read: () => number): Counter =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter('relay_published_total', 'Events published to the bus', () => relay.published);
  counter('relay_refused_total', 'Events rejected by the bus', () => relay.refused);
}
