import { Inject, Injectable } from '@nestjs/common';
import { BUS, depthOf, type Bus } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { DUE_QUEUE, SINGLE_QUEUE } from './due-queue';
import { SmtpBackend } from './smtp/smtp-backend';

/** Gauges that are collected on each scrape. */
@Injectable()
export class SendingMetrics {
  constructor(@Inject(METRICS) registry: Registry, @Inject(BUS) bus: Bus, backend: SmtpBackend) {
    const registers = [registry];
    new Gauge({
      name: 'email_queue_depth',
      help: 'Sends waiting for a worker',
      registers,
      async collect() {
        const depth = await depthOf(bus, [DUE_QUEUE, SINGLE_QUEUE]);
        if (depth === null) this.reset();
        else this.set(depth);
      },
    });
    new Gauge({
      name: 'email_backend_waiting',
      help: 'Mails waiting for a connection to the mail backend',
      registers,
      collect() {
        this.set(backend.depth);
      },
    });
  }
}
