import { z } from 'zod';
import { ControlError, type ControlApi, type ControlPage, type ControlRequest } from '../control-api';
import { parseControlBody } from '../control-body';
import { sessionObject, type CheckoutSession } from './checkout-store';
import { checkoutPage } from './checkout-page';
import type { PaymentEventInput } from './payment-event';
import type { PaymentsSimulator } from './payments-simulator';
import { post } from './post-event';

const refundBody = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().positive().optional(),
});

const disputeBody = z.object({
  status: z.enum(['needs_response', 'won', 'lost']).default('needs_response'),
  amount: z.coerce.number().int().positive().optional(),
});

const pageOf = ({ headers }: ControlRequest, id: string): string =>
  `http://${headers.host ?? 'localhost'}/payments/checkouts/${id}`;

/** Adds the payment pages, and the part of the processor's API that creates, reads, expires and refunds checkouts. */
export function addCheckoutRoutes(api: ControlApi, payments: PaymentsSimulator): void {
  const { checkouts } = payments;
  const sessionOf = ({ params }: ControlRequest): CheckoutSession => {
    const session = checkouts.find(params['id'] ?? '');
    if (!session) throw new ControlError(404, 'the checkout does not exist or is no longer retained');
    return session;
  };
  const tell = async (event: PaymentEventInput | null, problem: string): Promise<void> => {
    if (event === null) throw new ControlError(409, problem);
    await post(payments, event);
  };
  const show = (request: ControlRequest): Record<string, unknown> => {
    const session = sessionOf(request);
    return sessionObject(session, session.status === 'open' ? pageOf(request, session.id) : null);
  };
  api
    .route('GET', '/payments/checkouts/:id', (request): ControlPage => checkoutPage(sessionOf(request)))
    .route('POST', '/payments/checkouts/:id', async (request): Promise<ControlPage> => {
      const session = sessionOf(request);
      const event = checkouts.pay(session);
      if (event !== null) await post(payments, event);
      return checkoutPage(session);
    })
    .route('POST', '/payments/checkouts/:id/expire', (request) =>
      tell(checkouts.expire(sessionOf(request)), 'the checkout is not open'),
    )
    .route('POST', '/payments/checkouts/:id/refund', (request) => {
      const { amount } = parseControlBody(refundBody.pick({ amount: true }), request.body ?? {});
      return tell(
        checkouts.refund(sessionOf(request), amount),
        'the checkout is not paid, or the remaining amount is smaller',
      );
    })
    .route('POST', '/payments/checkouts/:id/dispute', (request) => {
      const { status, amount } = parseControlBody(disputeBody, request.body ?? {});
      return tell(
        checkouts.dispute(sessionOf(request), status, amount),
        'the checkout is not paid, or the remaining amount is smaller, or the dispute is closed',
      );
    })
    .route('POST', '/v1/checkout/sessions', (request) => {
      const fields = new Map(Object.entries((request.body ?? {}) as Record<string, string>));
      const key = request.headers['idempotency-key'];
      const session = checkouts.create(fields, typeof key === 'string' ? key : null);
      return sessionObject(session, pageOf(request, session.id));
    })
    .route('GET', '/v1/checkout/sessions/:id', show)
    .route('POST', '/v1/checkout/sessions/:id/expire', async (request) => {
      await tell(checkouts.expire(sessionOf(request)), 'the checkout is not open');
      return show(request);
    })
    .route('POST', '/v1/refunds', async ({ body }) => {
      const { payment_intent: payment, amount } = parseControlBody(refundBody, body ?? {});
      const session = checkouts.findByPayment(payment);
      if (!session) throw new ControlError(404, 'the payment does not exist');
      await tell(checkouts.refund(session, amount), 'the remaining amount of the payment is smaller');
      return { id: `re_${session.id.slice(3, 27)}`, object: 'refund', status: 'succeeded', payment_intent: payment };
    });
}
