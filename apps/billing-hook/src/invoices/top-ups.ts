import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';
import { amountOf, fieldsOf, idOf, listOf, type Fields } from '../settling/json-fields';

/** Credits purchased by an invoice line. */
export interface TopUp {
  creditType: CreditType;
  credits: number;
  /** `billing:<invoice>:<line>`. All events about the purchase have the same reference. */
  reference: string;
}

export interface ReadTopUps {
  topUps: TopUp[];
  /** Lines with invalid credit metadata, with the reason. */
  unreadable: { line: string; reason: string }[];
}

const MAX_CREDITS = 1_000_000_000_000;
const POSITIVE = /^[1-9]\d{0,12}$/;

/**
 * Finds purchased credits: lines whose metadata, or whose price's or product's metadata, contains `credit_type` and
 * `credits` (or `credit_amount`). On a line the number is the total; on a price or product it is multiplied by the
 * quantity.
 */
export function readTopUps(invoiceId: string, invoice: Fields): ReadTopUps {
  const read: ReadTopUps = { topUps: [], unreadable: [] };
  const taken = new Set<string>();
  for (const [index, value] of listOf(fieldsOf(invoice['lines'])['data']).entries()) {
    const line = fieldsOf(value);
    const offer = offerOf(line);
    if (!offer) continue;
    const given = idOf(line['id']);
    const name = given === null || taken.has(given) ? `${given ?? 'line'}#${index + 1}` : given;
    taken.add(name);
    const credits = creditsOf(offer);
    const { creditType } = offer;
    if (!isCreditType(creditType)) read.unreadable.push({ line: name, reason: 'credit_type is unknown' });
    else if (credits === null)
      read.unreadable.push({ line: name, reason: 'credits is not a positive integer up to 1e12' });
    else if ((amountOf(line['amount']) ?? 0) < 0) read.unreadable.push({ line: name, reason: 'the line is a refund' });
    else read.topUps.push({ creditType, credits, reference: `billing:${invoiceId}:${name}` });
  }
  return read;
}

interface Offer {
  creditType: unknown;
  credits: unknown;
  /** Purchased quantity. */
  times: unknown;
}

function offerOf(line: Fields): Offer | null {
  const price = fieldsOf(line['price']);
  const newerPrice = fieldsOf(fieldsOf(fieldsOf(line['pricing'])['price_details'])['price']);
  const each = line['quantity'] ?? 1;
  for (const [holder, times] of [
    [line, 1],
    [price, each],
    [fieldsOf(price['product']), each],
    [newerPrice, each],
    [fieldsOf(newerPrice['product']), each],
  ] as const) {
    const { credit_type, credits, credit_amount } = fieldsOf(holder['metadata']);
    if (credit_type !== undefined) return { creditType: credit_type, credits: credits ?? credit_amount, times };
  }
  return null;
}

function creditsOf({ credits, times }: Offer): number | null {
  const one = typeof credits === 'string' && POSITIVE.test(credits) ? Number(credits) : amountOf(credits);
  const count = amountOf(times);
  if (one === null || count === null || one <= 0 || count <= 0) return null;
  const all = one * count;
  return all <= MAX_CREDITS ? all : null;
}

function isCreditType(value: unknown): value is CreditType {
  return CREDIT_TYPES.some((type) => type === value);
}
