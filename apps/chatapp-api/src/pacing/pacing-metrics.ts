import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { SendSemaphore } from './send-semaphore';

/** Gauges that are computed on scrape. */
@Injectable()
export class PacingMetrics {
  constructor(@Inject(METRICS) registry: Registry, semaphore: SendSemaphore) {
    const registers = [registry];
    new Gauge({
      name: 'chatapp_sends_waiting',
      help: 'Sends waiting for a slot of the shared account',
      registers,
      collect() {
        this.set(semaphore.depth);
      },
    });
    new Gauge({
      name: 'chatapp_sends_under_way',
      help: 'Sends that were charged and wait for the response of the provider',
      registers,
      collect() {
        this.set(semaphore.inFlight);
      },
    });
  }
}
