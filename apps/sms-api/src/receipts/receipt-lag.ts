import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@heliograph/service-kit';
import { Histogram, type Registry } from 'prom-client';

/** A row of the SQL functions that record receipts. */
export interface LagRow {
  lag_seconds: number;
}

/** The histogram of the time from a submit to each of its receipts, however the receipt was matched. */
@Injectable()
export class ReceiptLag {
  private readonly histogram: Histogram;

  constructor(@Inject(METRICS) registry: Registry) {
    this.histogram = new Histogram({
      name: 'sms_receipt_lag_seconds',
      help: 'Time from the submit of a message to the arrival of each final receipt',
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400],
      registers: [registry],
    });
  }

  observe(rows: readonly LagRow[]): void {
    for (const { lag_seconds: seconds } of rows) this.histogram.observe(seconds);
  }
}
