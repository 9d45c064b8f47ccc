import { Dispute, FrozenCredits, Purchase, Refund } from '@heliograph/billing';
import { findPurchasedCredits, lockAccounts, post } from '@heliograph/credits';
import { clientOf, newId } from '@heliograph/database';
import { Workspace } from '@heliograph/tenancy';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { claimedCredits } from './claimed-credits';
import { amountRefundedIn } from './refunded-credits';
import type { PaymentDisputed, PaymentRefunded } from './normalize-purchase';

/** A movement of the credits of a purchase: withdrawn by a refund, frozen by a dispute, or released after it. */
type Reason = 'refund' | 'freeze' | 'release';

/** Credits by workspace. */
type Shares = Map<string, number>;

/**
 * Stores refunds and disputes by payment, because they may be reported before it, and takes or freezes the credits of
 * the purchase in the workspaces that have them (ADR 29).
 */
@Injectable()
export class ClaimsService {
  /** Refunds are cumulative in each currency. The currency of the purchase may not be known yet. */
  async storeRefund(transaction: EntityManager, refund: PaymentRefunded): Promise<void> {
    const { paymentId, amountRefunded, currency } = refund;
    await (
      await clientOf(transaction)
    ).query(
      `INSERT INTO billing.refunds AS r (payment_id, amount_refunded, amounts)
       VALUES ($1, $2, jsonb_build_object($3::text, $2::bigint))
       ON CONFLICT (payment_id) DO UPDATE SET
         amount_refunded = greatest(r.amount_refunded, excluded.amount_refunded),
         amounts = coalesce(nullif(r.amounts, '{}'), jsonb_build_object('', r.amount_refunded))
           || jsonb_build_object($3::text, greatest((r.amounts ->> $3::text)::bigint, excluded.amount_refunded))`,
      [paymentId, amountRefunded, currency?.toUpperCase() ?? ''],
    );
  }

  /** A closed dispute is not opened again, and a lost one is not won, whatever the order of the events. */
  async storeDispute(transaction: EntityManager, event: PaymentDisputed): Promise<void> {
    const { disputeId, paymentId, amount, currency, status } = event;
    await (
      await clientOf(transaction)
    ).query(
      `INSERT INTO billing.disputes AS d (id, payment_id, amount, currency, status) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET amount = coalesce(d.amount, excluded.amount), currency = coalesce(d.currency, excluded.currency),
         status = CASE WHEN d.status = 'open' OR excluded.status = 'lost' THEN excluded.status ELSE d.status END`,
      [disputeId, paymentId, amount, currency, status],
    );
  }

  /** Whether a payment that is reported now has refunds or disputes already. */
  async areKnown(transaction: EntityManager, paymentId: string): Promise<boolean> {
    return (
      (await transaction.getRepository(Refund).existsBy({ paymentId })) ||
      (await transaction.getRepository(Dispute).existsBy({ paymentId }))
    );
  }

  /** Locks the accounts that may have credits of the purchase. */
  async lockAccounts(transaction: EntityManager, { organizationId, creditType }: Purchase): Promise<void> {
    const workspaceIds = await workspacesOf(transaction, organizationId);
    await lockAccounts(await clientOf(transaction), { creditType, workspaceIds });
  }

  /**
   * Takes the credits that refunds and lost disputes claim, first those that were frozen, and freezes or releases the
   * credits of open and won disputes. Credits that are spent are recorded and not taken later. Requires the lock of the
   * purchase, which is paid.
   */
  async apply(transaction: EntityManager, purchase: Purchase, requestId: string | null): Promise<void> {
    const { id, amount, paymentId } = purchase;
    if (paymentId === null) return;
    const refund = await transaction.getRepository(Refund).findOneBy({ paymentId });
    const disputes = await transaction.getRepository(Dispute).findBy({ paymentId });
    if (!refund && disputes.length === 0) return;
    const amountRefunded = refund ? amountRefundedIn(purchase.currency, refund) : 0;
    const claimed = claimedCredits(purchase, amountRefunded, disputes);
    const frozen = await this.frozenOf(transaction, id);
    const due = Math.max(0, claimed.taken - purchase.creditsRefunded - purchase.creditsNotRecovered);
    const fromFrozen = allot(frozen, Math.min(due, Math.max(0, sumOf(frozen) - claimed.frozen)));
    const stillFrozen = subtract(frozen, fromFrozen);
    const released = allot(stillFrozen, sumOf(stillFrozen) - claimed.frozen);

    const unspent = await this.unspentOf(transaction, purchase);
    const taken = allot(unspent, due - sumOf(fromFrozen));
    const newlyFrozen = allot(subtract(unspent, taken), claimed.frozen - purchase.creditsFreezeDue);
    await this.post(transaction, purchase, requestId, [
      { reason: 'refund', sign: -1, shares: taken },
      { reason: 'freeze', sign: -1, shares: newlyFrozen },
      { reason: 'release', sign: 1, shares: released },
    ]);
    const nowFrozen = add(subtract(stillFrozen, released), newlyFrozen);
    await this.storeFrozen(transaction, id, nowFrozen);
    const recovered = sumOf(fromFrozen) + sumOf(taken);
    await transaction.getRepository(Purchase).update(id, {
      ...(claimed.amountReturned >= amount ? { status: 'refunded' as const } : {}),
      amountRefunded: claimed.amountReturned,
      creditsRefunded: purchase.creditsRefunded + recovered,
      creditsNotRecovered: purchase.creditsNotRecovered + due - recovered,
      creditsFrozen: sumOf(nowFrozen),
      creditsFreezeDue: claimed.frozen,
    });
  }

  /** The unspent credits of the purchase, those of the workspace that bought them first. */
  private async unspentOf(transaction: EntityManager, purchase: Purchase): Promise<Shares> {
    const { id, organizationId, workspaceId, creditType } = purchase;
    const workspaceIds = await workspacesOf(transaction, organizationId);
    const search = { purchaseId: id, creditType, workspaceIds };
    const found = await findPurchasedCredits(await clientOf(transaction), search);
    return new Map([...found].sort(([one], [other]) => (one === workspaceId ? -1 : other === workspaceId ? 1 : 0)));
  }

  private async frozenOf(transaction: EntityManager, purchaseId: string): Promise<Shares> {
    const rows = await transaction
      .getRepository(FrozenCredits)
      .find({ where: { purchaseId }, order: { workspaceId: 'ASC' } });
    return new Map(rows.map(({ workspaceId, credits }) => [workspaceId, credits]));
  }

  private async storeFrozen(transaction: EntityManager, purchaseId: string, shares: Shares): Promise<void> {
    const repository = transaction.getRepository(FrozenCredits);
    await repository.delete({ purchaseId });
    await repository.insert([...shares].map(([workspaceId, credits]) => ({ purchaseId, workspaceId, credits })));
  }

  private async post(
    transaction: EntityManager,
    { id, organizationId, creditType }: Purchase,
    requestId: string | null,
    movements: { reason: Reason; sign: 1 | -1; shares: Shares }[],
  ): Promise<void> {
    const postings = movements.flatMap(({ reason, sign, shares }) =>
      [...shares].map(([workspaceId, credits]) => ({
        organizationId,
        workspaceId,
        creditType,
        kind: 'adjustment' as const,
        amount: sign * credits,
        reference: `purchase:${id}:${reason}:${newId()}`,
        correlationId: requestId,
      })),
    );
    const results = await post(await clientOf(transaction), postings);
    if (results.some(({ outcome }) => outcome !== 'posted')) {
      throw new Error(`the unspent credits of purchase ${id} are not in the accounts`);
    }
  }
}

async function workspacesOf(transaction: EntityManager, organizationId: string): Promise<string[]> {
  const workspaces = await transaction
    .getRepository(Workspace)
    .find({ select: { id: true }, where: { organizationId } });
  return workspaces.map(({ id }) => id);
}

/** Takes an amount from the shares, at most all of them, in their order. */
function allot(shares: Shares, amount: number): Shares {
  const taken: Shares = new Map();
  let missing = Math.max(0, amount);
  for (const [workspaceId, credits] of shares) {
    const part = Math.min(credits, missing);
    if (part > 0) taken.set(workspaceId, part);
    missing -= part;
  }
  return taken;
}

function subtract(shares: Shares, taken: Shares): Shares {
  const rest = [...shares].map(([workspaceId, credits]): [string, number] => [
    workspaceId,
    credits - (taken.get(workspaceId) ?? 0),
  ]);
  return new Map(rest.filter(([, credits]) => credits > 0));
}

function add(shares: Shares, more: Shares): Shares {
  const all = new Map(shares);
  for (const [workspaceId, credits] of more) all.set(workspaceId, (all.get(workspaceId) ?? 0) + credits);
  return all;
}

function sumOf(shares: Shares): number {
  return [...shares.values()].reduce((sum, credits) => sum + credits, 0);
}
