import { ControlError } from '../control-api';
import type { HookAnswer } from '../http-post';
import type { PaymentEventInput } from './payment-event';
import type { PaymentsSimulator } from './payments-simulator';

/** Posts an event. Throws a ControlError if the receiver does not answer. */
export async function post(payments: PaymentsSimulator, event: PaymentEventInput): Promise<HookAnswer> {
  try {
    return await payments.send(event);
  } catch (error) {
    throw new ControlError(502, `the webhook receiver did not answer: ${String(error)}`);
  }
}
