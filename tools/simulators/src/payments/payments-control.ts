import { z } from 'zod';
import type { ControlApi } from '../control-api';
import { parseControlBody } from '../control-body';
import { addCheckoutRoutes } from './checkout-routes';
import type { PaymentsSimulator } from './payments-simulator';
import { post } from './post-event';

const eventBody = z.strictObject({
  type: z.string().min(1),
  object: z.record(z.string(), z.unknown()),
  id: z.string().min(1).optional(),
  created: z.number().int().min(0).optional(),
});

/** Adds the routes of the payment processor to the control API. */
export function addPaymentsRoutes(api: ControlApi, payments: PaymentsSimulator): void {
  addCheckoutRoutes(api, payments);
  api
    .route('GET', '/payments/events', () => ({ events: payments.events() }))
    .route('POST', '/payments/events', ({ body }) => post(payments, parseControlBody(eventBody, body)));
}
