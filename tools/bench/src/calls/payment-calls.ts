import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/secrets';
import type { CallOptions, Calls } from './call-options';
import { postRequest } from './http-request';
import { paymentEvents } from './payment-events';

export const BENCH_SECRET = 'whsec_bench';

/** Signed payment events; the same number is the same event. */
export function paymentCalls({ path, population }: CallOptions): Calls {
  const events = paymentEvents(population);
  return (number) => {
    const body = events(number);
    const signature = signProcessorPayload(body, BENCH_SECRET, Math.floor(Date.now() / 1000));
    return postRequest(path, [`${PROCESSOR_SIGNATURE_HEADER}: ${signature}`], body);
  };
}
