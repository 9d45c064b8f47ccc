import type { Refund } from '@heliograph/billing';

/**
 * Returns the number of credits that a refund withdraws. It is proportional to the refunded amount; a full refund
 * withdraws all credits.
 */
export function refundedCredits(credits: number, amount: number, amountRefunded: number): number {
  if (amount === 0 || amountRefunded >= amount) return credits;
  return Number((BigInt(credits) * BigInt(amountRefunded)) / BigInt(amount));
}

/** Returns the refunded amount of a payment in a currency. Amounts in other currencies do not count. */
export function amountRefundedIn(currency: string, { amountRefunded, amounts }: Refund): number {
  if (Object.keys(amounts).length === 0) return amountRefunded;
  return Math.max(amounts[currency] ?? 0, amounts[''] ?? 0);
}
