import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@heliograph/platform';
import { Gauge, type Registry } from 'prom-client';
import { SendTurns } from './pacing/send-turns';

/** Gauges that are read when somebody asks. */
@Injectable()
export class ChatappMetrics {
  constructor(@Inject(METRICS) registry: Registry, @Inject(SendTurns) turns: SendTurns) {
    const registers = [registry];
    new Gauge({
      name: 'chatapp_sends_waiting',
      help: 'Sends that wait for their turn at the shared account',
      registers,
      collect() {
        this.set(turns.depth);
      },
    });
    new Gauge({
      name: 'chatapp_sends_under_way',
      help: 'Sends between the charge and the answer',
      registers,
      collect() {
        this.set(turns.inFlight);
      },
    });
  }
}
