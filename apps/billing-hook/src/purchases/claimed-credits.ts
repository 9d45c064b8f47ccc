import type { Dispute, Purchase } from '@heliograph/billing';
import { refundedCredits } from './refunded-credits';

export interface ClaimedCredits {
  /** Money that went back to the payer, in minor units. */
  amountReturned: number;
  /** Credits of the money that went back. */
  taken: number;
  /** Credits of the money that open disputes withhold. */
  frozen: number;
}

/** Returns the credits that refunds and disputes of a payment claim, at most all credits of the purchase. */
export function claimedCredits(
  { credits, amount, currency }: Pick<Purchase, 'credits' | 'amount' | 'currency'>,
  amountRefunded: number,
  disputes: readonly Pick<Dispute, 'amount' | 'currency' | 'status'>[],
): ClaimedCredits {
  // An amount in another currency, such as that of the payer's bank, cannot be compared with the price.
  const disputed = (status: Dispute['status']) =>
    disputes
      .filter((dispute) => dispute.status === status)
      .map((dispute) => (dispute.currency?.toUpperCase() === currency ? (dispute.amount ?? amount) : amount))
      .reduce((sum, each) => sum + each, 0);
  // A payment can be refunded and disputed for more than its amount in sum, but no more than its amount is returned.
  const amountReturned = Math.min(amount, amountRefunded + disputed('lost'));
  const taken = creditsOf(amountReturned);
  return { amountReturned, taken, frozen: creditsOf(amountReturned + disputed('open')) - taken };

  function creditsOf(claimed: number): number {
    return claimed > 0 ? refundedCredits(credits, amount, claimed) : 0;
  }
}
