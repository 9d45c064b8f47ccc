import type { InvoiceLine } from '@heliograph/billing';
import { amountOf, fieldsOf, idOf, listOf, textOf, timeOf, type Fields } from '../settling/json-fields';

/** An invoice of an event in stored form. Amounts are in minor units of its currency. */
export interface ReadInvoice {
  id: string;
  subscriptionId: string | null;
  number: string | null;
  currency: string;
  amountDue: number;
  /** Null if the invoice does not contain it. */
  amountPaid: number | null;
  subtotal: number;
  tax: number | null;
  total: number;
  customerName: string | null;
  customerEmail: string | null;
  customerAddress: string[];
  lines: InvoiceLine[];
  hostedUrl: string | null;
  createdAt: Date | null;
  paidAt: Date | null;
}

const MAX_LINES = 500;
const EMAIL_ADDRESS = /^[^\s@<>,;"()]{1,64}@[^\s@<>,;"()]{1,255}$/;
const CURRENCY = /^[a-z]{3}$/;
const DEFAULT_CURRENCY = 'usd';

/** Reads an invoice object. Returns null if it has no id and therefore cannot be stored. */
export function readInvoice(invoice: Fields): ReadInvoice | null {
  const id = idOf(invoice['id']);
  if (id === null) return null;
  const lines = listOf(fieldsOf(invoice['lines'])['data']).slice(0, MAX_LINES).map(readLine);
  const total = amountOf(invoice['total']) ?? amountOf(invoice['amount_due']) ?? amountOf(invoice['amount_paid']) ?? 0;
  const currency = typeof invoice['currency'] === 'string' ? invoice['currency'].toLowerCase() : '';
  return {
    id,
    subscriptionId: subscriptionOf(invoice),
    number: textOf(invoice['number'], 100),
    currency: CURRENCY.test(currency) ? currency : DEFAULT_CURRENCY,
    amountDue: amountOf(invoice['amount_due']) ?? total,
    amountPaid: amountOf(invoice['amount_paid']),
    subtotal: amountOf(invoice['subtotal']) ?? total,
    tax: taxOf(invoice),
    total,
    customerName: textOf(invoice['customer_name'], 200),
    customerEmail: emailOf(invoice['customer_email']),
    customerAddress: addressOf(invoice['customer_address']),
    lines,
    hostedUrl: urlOf(invoice['hosted_invoice_url']),
    createdAt: timeOf(invoice['created']),
    paidAt: timeOf(fieldsOf(invoice['status_transitions'])['paid_at']),
  };
}

/**
 * Whether no money was paid for a paid invoice. An amount that is not a positive integer is no money; without any
 * amount, the event counts as a payment.
 */
export function isSettledWithoutMoney(invoice: Fields): boolean {
  const amount = invoice['amount_paid'] ?? invoice['total'] ?? invoice['amount_due'] ?? null;
  return amount !== null && (amountOf(amount) ?? 0) <= 0;
}

/** Reads the subscription, which is in `parent` in newer versions of the processor's API and on the invoice in older versions. */
function subscriptionOf(invoice: Fields): string | null {
  const details = fieldsOf(fieldsOf(invoice['parent'])['subscription_details']);
  return idOf(details['subscription']) ?? idOf(invoice['subscription']);
}

function taxOf(invoice: Fields): number | null {
  for (const list of [listOf(invoice['total_taxes']), listOf(invoice['total_tax_amounts'])]) {
    const amounts = list.map((tax) => amountOf(fieldsOf(tax)['amount']) ?? 0);
    if (amounts.length > 0) return amountOf(amounts.reduce((sum, amount) => sum + amount, 0));
  }
  return amountOf(invoice['tax']);
}

function readLine(value: unknown, index: number): InvoiceLine {
  const line = fieldsOf(value);
  const period = fieldsOf(line['period']);
  const quantity = amountOf(line['quantity']);
  return {
    id: idOf(line['id']) ?? `line-${index + 1}`,
    description: textOf(line['description']) ?? `Item ${index + 1}`,
    quantity,
    unitAmount: unitAmountOf(line),
    amount: amountOf(line['amount']) ?? 0,
    periodStart: timeOf(period['start'])?.toISOString() ?? null,
    periodEnd: timeOf(period['end'])?.toISOString() ?? null,
  };
}

/** Rounds down to whole minor units, because receipts show no fractions. */
function unitAmountOf(line: Fields): number | null {
  const decimal = fieldsOf(line['pricing'])['unit_amount_decimal'];
  const fromPricing = typeof decimal === 'string' && /^\d{1,15}$/.test(decimal) ? Number(decimal) : null;
  return fromPricing ?? amountOf(fieldsOf(line['price'])['unit_amount']);
}

/** Returns the address if it is valid. If there is no valid address, the owners receive the email. */
function emailOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 254 && EMAIL_ADDRESS.test(value) ? value : null;
}

function addressOf(value: unknown): string[] {
  const address = fieldsOf(value);
  const town = ['postal_code', 'city', 'state']
    .map((name) => textOf(address[name], 100))
    .filter((part) => part !== null);
  return [textOf(address['line1'], 200), textOf(address['line2'], 200), town.join(' '), textOf(address['country'], 100)]
    .filter((line) => line !== null && line !== '')
    .map(String);
}

/** Returns the URL if it uses http or https, because it is used as a link in emails. */
function urlOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? new URL(value).href : null;
}
