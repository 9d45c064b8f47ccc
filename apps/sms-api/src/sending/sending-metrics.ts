import { Inject, Injectable } from '@nestjs/common';
import { BUS, depthOf, type Bus } from '@heliograph/messaging';
import { METRICS } from '@heliograph/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import { CARRIERS, type CarrierPool } from '../carriers/carrier-pool';
import { describeStatus } from '../carriers/smpp/command-status';
import { SEND_QUEUE, SINGLE_QUEUE } from './send-queue';

/** Metrics that are collected on each scrape. */
@Injectable()
export class SendingMetrics {
  constructor(@Inject(METRICS) registry: Registry, @Inject(CARRIERS) carriers: CarrierPool, @Inject(BUS) bus: Bus) {
    const registers = [registry];
    new Gauge({
      name: 'sms_queue_depth',
      help: 'Messages waiting in the send queue',
      registers,
      async collect() {
        const depth = await depthOf(bus, [SEND_QUEUE, SINGLE_QUEUE]);
        if (depth === null) this.reset();
        else this.set(depth);
      },
    });
    const perCarrier = (
      name: string,
      help: string,
      read: (carrier: CarrierPool['carriers'][number]) => number,
    ): void => {
      new Gauge({
        name,
        help,
        labelNames: ['carrier'],
        registers,
        collect() {
          for (const carrier of carriers.carriers) this.set({ carrier: carrier.name }, read(carrier));
        },
      });
    };
    perCarrier('sms_carrier_window_used', 'Outstanding submits', ({ window }) => window.used);
    perCarrier(
      'sms_carrier_window_size',
      'Maximum outstanding submits over all binds that are up',
      ({ window }) => window.size,
    );
    perCarrier(
      'sms_carrier_submit_rate',
      'Submits per second that the carrier accepts',
      ({ submitRate }) => submitRate,
    );
    perCarrier('sms_carrier_receivers_up', 'Binds that receive receipts', ({ receiversUp }) => receiversUp);
    perCarrier('sms_carrier_binds_up', 'Binds that are up', ({ bindsUp }) => bindsUp);
    new Counter({
      name: 'sms_submits_total',
      help: 'Submits by outcome',
      labelNames: ['carrier', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const { name: carrier, metrics } of carriers.carriers) {
          for (const [outcome, count] of Object.entries(metrics.submits)) this.inc({ carrier, outcome }, count);
        }
      },
    });
    new Counter({
      name: 'sms_carrier_bind_refusals_total',
      help: 'Refused binds by SMPP command status',
      labelNames: ['carrier', 'status'],
      registers,
      collect() {
        this.reset();
        for (const { name: carrier, metrics } of carriers.carriers) {
          for (const [status, count] of metrics.bindsRefused)
            this.inc({ carrier, status: describeStatus(status) }, count);
        }
      },
    });
    new Counter({
      name: 'sms_carrier_connection_failures_total',
      help: 'Lost connections and failed connection attempts by reason',
      labelNames: ['carrier', 'reason'],
      registers,
      collect() {
        this.reset();
        for (const { name: carrier, metrics } of carriers.carriers) {
          for (const [reason, count] of Object.entries(metrics.connectionFailures))
            this.inc({ carrier, reason }, count);
        }
      },
    });
  }
}
