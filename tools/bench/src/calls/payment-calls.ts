import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/signatures';
import type { CallOptions, Calls } from './calls';
import { paymentEvents } from './payment-events';

export const BENCH_SECRET = 'whsec_of_the_bench';

/** Payment events, each with an id and a signature of its own. The same number is the same event. */
export function paymentCalls({ path, population }: CallOptions): Calls {
  const events = paymentEvents(population);
  return (number) => {
    const body = events(number);
    const signature = signProcessorPayload(body, BENCH_SECRET, Math.floor(Date.now() / 1000));
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\n${PROCESSOR_SIGNATURE_HEADER}: ${signature}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
}
