import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
import { parseControlBody } from '../control-body';
import type { HookAnswer } from '../http-post';
import type { PaymentEventInput, PaymentsSimulator } from './payments-simulator';

const eventBody = z.strictObject({
  type: z.string().min(1),
  object: z.record(z.string(), z.unknown()),
  id: z.string().min(1).optional(),
  created: z.number().int().min(0).optional(),
});

/** Adds the routes of the payment processor to the control API. */
export function addPaymentsRoutes(api: ControlApi, payments: PaymentsSimulator): void {
  api
    .route('GET', '/payments/events', () => ({ events: payments.events() }))
    .route('POST', '/payments/events', ({ body }) => post(payments, parseControlBody(eventBody, body)));
}

async function post(payments: PaymentsSimulator, event: PaymentEventInput): Promise<HookAnswer> {
  try {
    return await payments.send(event);
  } catch (error) {
    throw new ControlError(502, `the webhook receiver did not answer: ${String(error)}`);
  }
}
