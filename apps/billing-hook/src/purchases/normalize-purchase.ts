import type { DisputeStatus } from '@heliograph/billing';
import { amountOf, fieldsOf, idOf, textOf, type Fields } from '../settling/json-fields';

/** The content of an event about a purchase of credits. */
export type PurchaseEvent =
  | {
      kind: 'paid';
      purchaseId: string;
      checkoutId: string;
      paymentId: string | null;
      /** Null if the event contains no whole number; then it adds no credits. */
      amount: number | null;
      currency: string | null;
      customer: { id: string | null; name: string | null; email: string | null };
    }
  | { kind: 'unpaid' | 'expired'; purchaseId: string }
  | PaymentRefunded
  | PaymentDisputed;

export interface PaymentRefunded {
  kind: 'refunded';
  /** Null if the charge does not name it. */
  purchaseId: string | null;
  paymentId: string;
  /** Total of all refunds of the payment. */
  amountRefunded: number;
  /** Null if the charge names no currency; then it is that of the purchase. */
  currency: string | null;
}

export interface PaymentDisputed {
  kind: 'disputed';
  purchaseId: string | null;
  paymentId: string;
  disputeId: string;
  /** Null if the dispute names no amount; then it concerns the whole payment. */
  amount: number | null;
  currency: string | null;
  status: DisputeStatus;
}

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
    kind: 'paid',
    purchaseId,
    checkoutId,
    paymentId: idOf(object['payment_intent']),
    amount: amountOf(object['amount_total']),
    currency: textOf(object['currency']),
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
    currency: textOf(object['currency']),
  };
}

/** Statuses of a closed dispute or inquiry; every other one is open. */
const CLOSED: ReadonlyMap<unknown, DisputeStatus> = new Map([
  ['won', 'won'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
]);

/** Normalizes a dispute. Returns null if its id or its payment is missing. */
export function normalizeDispute(object: Fields): PurchaseEvent | null {
  const disputeId = idOf(object['id']);
  const charge = fieldsOf(object['charge']);
  const paymentId = idOf(object['payment_intent']) ?? idOf(charge['payment_intent']) ?? idOf(object['charge']);
  if (disputeId === null || paymentId === null) return null;
  const amount = amountOf(object['amount']);
  return {
    kind: 'disputed',
    purchaseId: textOf(fieldsOf(charge['metadata'])['purchase_id']),
    paymentId,
    disputeId,
    amount: amount !== null && amount > 0 ? amount : null,
    currency: textOf(object['currency']),
    status: CLOSED.get(object['status']) ?? 'open',
  };
}
