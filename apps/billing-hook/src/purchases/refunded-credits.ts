/** The credits that a refund of a part of the price takes back in total; a full refund takes back all of them. */
export function refundedCredits(credits: number, amount: number, amountRefunded: number): number {
  if (amount === 0 || amountRefunded >= amount) return credits;
  return Number((BigInt(credits) * BigInt(amountRefunded)) / BigInt(amount));
}
