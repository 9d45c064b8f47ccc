import { Inject, Injectable } from '@nestjs/common';
import { Invoice, Purchase } from '@heliograph/billing';
import { billingInvoicePaid, billingReceiptDue, creditsPurchased } from '@heliograph/contracts';
import { topUp } from '@heliograph/credits';
import { clientOf, isId } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { ClaimsService } from './claims.service';
import type { PaymentDisputed, PaymentRefunded, PurchaseEvent } from './normalize-purchase';

type Paid = Extract<PurchaseEvent, { kind: 'paid' }>;
export type PurchaseOutcome = 'applied' | 'unknown purchase' | 'unpaid' | 'amount differs';

/**
 * Applies events about purchases of credits. Events may arrive in any order and repeatedly: the ledger accepts each
 * reference once, and refunds and disputes are stored by payment until the payment is known.
 */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly claims: ClaimsService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async apply(transaction: EntityManager, event: PurchaseEvent, requestId: string | null): Promise<PurchaseOutcome> {
    if (event.kind === 'unpaid') return 'unpaid';
    if ('paymentId' in event) await this.lockPayment(transaction, event.paymentId);
    if (event.kind === 'refunded' || event.kind === 'disputed') {
      if (event.kind === 'refunded') await this.claims.storeRefund(transaction, event);
      else await this.claims.storeDispute(transaction, event);
      const purchase = await this.lockPaid(transaction, event);
      if (!purchase) return 'unknown purchase';
      if (event.kind === 'refunded' && event.currency !== null && !isSameCurrency(event, purchase)) {
        this.logDifference(purchase, requestId, { refunded: event.amountRefunded, currency: event.currency });
        return 'amount differs';
      }
      await this.claims.apply(transaction, purchase, requestId);
      return 'applied';
    }
    const purchase = await this.lock(transaction, event.purchaseId);
    if (!purchase) return 'unknown purchase';
    if (event.kind === 'paid') return this.pay(transaction, purchase, event, requestId);
    // A payment takes precedence over an expiry, regardless of the order of the events.
    await transaction.getRepository(Purchase).update({ id: purchase.id, status: 'pending' }, { status: 'expired' });
    return 'applied';
  }

  private async pay(
    transaction: EntityManager,
    purchase: Purchase,
    event: Paid,
    requestId: string | null,
  ): Promise<PurchaseOutcome> {
    const { id, amount, currency } = purchase;
    if (event.amount !== amount || !isSameCurrency(event, purchase)) {
      this.logDifference(purchase, requestId, { paid: event.amount, currency: event.currency });
      return 'amount differs';
    }
    if (purchase.paidAt !== null) return 'applied';
    const changes = { status: 'paid' as const, paidAt: new Date(), paymentId: event.paymentId ?? event.checkoutId };
    await transaction.getRepository(Purchase).update(id, changes);
    const paid: Purchase = { ...purchase, ...changes };
    const { organizationId, workspaceId, creditType, credits } = purchase;
    const client = await clientOf(transaction);
    const hasClaims = await this.claims.areKnown(transaction, changes.paymentId);
    // The claims concern all accounts, which are always locked in one order.
    if (hasClaims) await this.claims.lockAccounts(transaction, purchase);
    const reference = `purchase:${id}`;
    await topUp(client, {
      organizationId,
      workspaceId,
      creditType,
      amount: credits,
      reference,
      correlationId: requestId,
    });
    const context = { organizationId, workspaceId, correlationId: requestId };
    const invoice = await this.storeInvoice(transaction, paid, event);
    const { id: invoiceId, number, amountPaid } = invoice;
    await addToOutbox(client, [
      composeEvent(creditsPurchased, {
        ...context,
        data: { purchaseId: id, workspaceId, creditType, credits, amount, currency },
      }),
      composeEvent(billingInvoicePaid, {
        ...context,
        data: { workspaceId, invoiceId, number, amountPaid, currency: invoice.currency },
      }),
      composeEvent(billingReceiptDue, { ...context, data: { workspaceId, invoiceId } }),
    ]);
    if (hasClaims) await this.claims.apply(transaction, paid, requestId);
    return 'applied';
  }

  private logDifference({ id, amount, currency }: Purchase, requestId: string | null, event: object): void {
    this.log.error(
      { purchaseId: id, requestId, event, price: { amount, currency } },
      'the amount or the currency of an event differs from the purchase; it changes no credits',
    );
  }

  /** Stores the invoice of a purchase, from which a job creates the receipt. */
  private async storeInvoice(transaction: EntityManager, purchase: Purchase, event: Paid): Promise<Invoice> {
    const { id, organizationId, workspaceId, credits, creditType, quantity, amount, createdAt, paidAt } = purchase;
    const currency = purchase.currency.toLowerCase();
    const { customer, checkoutId } = event;
    const description = `${credits} ${creditType} credits`;
    const unitAmount = Math.round(amount / quantity);
    const line = { id, description, quantity, unitAmount, amount, periodStart: null, periodEnd: null };
    return transaction.getRepository(Invoice).save({
      id: checkoutId,
      organizationId,
      workspaceId,
      customer: customer.id ?? id,
      status: 'paid',
      currency,
      amountDue: 0,
      amountPaid: amount,
      subtotal: amount,
      tax: null,
      total: amount,
      number: null,
      customerName: customer.name,
      customerEmail: customer.email,
      customerAddress: [],
      lines: [line],
      hostedUrl: null,
      createdAt,
      paidAt,
      newest: '',
    });
  }

  /** Serializes a payment and its claims, so that the later transaction sees the earlier one. */
  private async lockPayment(transaction: EntityManager, paymentId: string | null): Promise<void> {
    if (paymentId === null) return;
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`payment ${paymentId}`]);
  }

  private async lock(transaction: EntityManager, id: string): Promise<Purchase | null> {
    if (!isId(id)) return null;
    return transaction.getRepository(Purchase).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Finds and locks the paid purchase of a claim, by its payment or by the metadata of its charge. */
  private async lockPaid(
    transaction: EntityManager,
    { paymentId, purchaseId }: PaymentRefunded | PaymentDisputed,
  ): Promise<Purchase | null> {
    const byPayment = await transaction
      .getRepository(Purchase)
      .findOne({ where: { paymentId }, lock: { mode: 'pessimistic_write' } });
    const purchase = byPayment ?? (purchaseId === null ? null : await this.lock(transaction, purchaseId));
    return purchase && purchase.paidAt !== null ? { ...purchase, paymentId } : null;
  }
}

function isSameCurrency(event: { currency: string | null }, purchase: Purchase): boolean {
  return event.currency?.toUpperCase() === purchase.currency;
}
