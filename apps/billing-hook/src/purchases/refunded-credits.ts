/**
 * Returns the number of credits that a refund withdraws. It is proportional to the refunded amount; a full refund
 * withdraws all credits.
 */
export function refundedCredits(credits: number, amount: number, amountRefunded: number): number {
  if (amount === 0 || amountRefunded >= amount) return credits;
  return Number((BigInt(credits) * BigInt(amountRefunded)) / BigInt(amount));
}
