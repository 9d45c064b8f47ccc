import { amountOf, fieldsOf, idOf, textOf, type Fields } from '../settling/json-fields';

/** The content of an event about a purchase of credits. */
export type PurchaseEvent =
  | {
      kind: 'paid';
      purchaseId: string;
      checkoutId: string;
      paymentId: string | null;
      /** Null if the event does not contain it. */
      amount: number | null;
      currency: string | null;
      customer: { id: string | null; name: string | null; email: string | null };
    }
  | { kind: 'unpaid' | 'expired'; purchaseId: string }
  | { kind: 'refunded'; purchaseId: string | null; paymentId: string; amountRefunded: number };

const PAID: readonly unknown[] = ['paid', 'no_payment_required'];

/** Normalizes a checkout session. Returns null if it does not concern a purchase of credits. */
export function normalizeCheckout(object: Fields, isExpiry: boolean): PurchaseEvent | null {
  const purchaseId = textOf(object['client_reference_id']);
  const checkoutId = idOf(object['id']);
  if (purchaseId === null || checkoutId === null) return null;
  if (isExpiry) return { kind: 'expired', purchaseId };
  if (!PAID.includes(object['payment_status'])) return { kind: 'unpaid', purchaseId };
  const details = fieldsOf(object['customer_details']);
  return {
    ...{ kind: 'paid', purchaseId, checkoutId, paymentId: idOf(object['payment_intent']) },
    ...{ amount: amountOf(object['amount_total']), currency: textOf(object['currency']) },
    customer: {
      id: idOf(object['customer']),
      name: textOf(details['name']),
      email: textOf(details['email']) ?? textOf(object['customer_email']),
    },
  };
}

/** Normalizes a refunded charge. Returns null if the payment or the refunded amount is missing. */
export function normalizeRefund(object: Fields): PurchaseEvent | null {
  const paymentId = idOf(object['payment_intent']) ?? idOf(object['id']);
  const amountRefunded = amountOf(object['amount_refunded']);
  if (paymentId === null || amountRefunded === null || amountRefunded <= 0) return null;
  return {
    kind: 'refunded',
    purchaseId: textOf(fieldsOf(object['metadata'])['purchase_id']),
    paymentId,
    amountRefunded,
  };
}
