import { Payer, PaymentFailure, Subscription, ZeroPayment } from '@heliograph/billing';
import { clientOf } from '@heliograph/database';
import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { PayerAggregate, SubscriptionAggregate } from '../subscription-state/payer-aggregate';
import type { PayerReference } from './payer';

// Arbitrary constant that separates these advisory locks from others.
const PAYER_LOCK = 7_236_100_418;

/**
 * Stores the billing state of payers. Changes to a payer are serialized across processes: take its lock before reading.
 * Queries filter by the customer id only, because the workspace was looked up by this id.
 */
@Injectable()
export class PayersRepository {
  /** Acquires the lock of a payer, which is held until the end of the transaction. */
  async lock(transaction: EntityManager, customer: string): Promise<void> {
    await (
      await clientOf(transaction)
    ).query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [customer, PAYER_LOCK]);
  }

  /** Like `lock`, but returns false if another transaction holds the lock. */
  async tryLock(transaction: EntityManager, customer: string): Promise<boolean> {
    const { rows } = await (
      await clientOf(transaction)
    ).query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS locked', [
      customer,
      PAYER_LOCK,
    ]);
    return rows[0]?.locked === true;
  }

  async load(transaction: EntityManager, customer: string): Promise<PayerAggregate> {
    const payer = await transaction.getRepository(Payer).findOneBy({ customer });
    const subscriptions = await transaction.getRepository(Subscription).findBy({ customer });
    const failures = await transaction.getRepository(PaymentFailure).findBy({ customer });
    const zeroPayments = await transaction.getRepository(ZeroPayment).findBy({ customer });
    return {
      paid: payer?.paid ?? null,
      zeroPayments: zeroPayments.map(({ invoiceId, timestamp }) => ({ invoiceId, timestamp })),
      subscriptions: subscriptions.map(
        ({ customer: _c, organizationId: _o, workspaceId: _w, ...subscription }) =>
          subscription as SubscriptionAggregate,
      ),
      failures: failures.map(({ customer: _c, ...subscription }) => subscription),
    };
  }

  /** Updates only the columns that changed. */
  async save(
    transaction: EntityManager,
    paidFor: PayerReference,
    before: PayerAggregate,
    after: PayerAggregate,
  ): Promise<void> {
    const { customer, organizationId, workspaceId } = paidFor;
    await transaction
      .getRepository(Payer)
      .upsert({ customer, organizationId, workspaceId, paid: after.paid }, ['customer']);
    const changed = after.subscriptions.filter((each) => !before.subscriptions.includes(each));
    if (changed.length > 0) {
      await transaction.getRepository(Subscription).upsert(
        changed.map((each) => ({ ...each, customer, organizationId, workspaceId })),
        ['customer', 'subscriptionId'],
      );
    }
    const settledInvoices = after.zeroPayments.filter((each) => !before.zeroPayments.includes(each));
    if (settledInvoices.length > 0) {
      await transaction.getRepository(ZeroPayment).upsert(
        settledInvoices.map((each) => ({ ...each, customer })),
        ['customer', 'invoiceId'],
      );
    }
    const isKnown = (invoiceId: string) => after.zeroPayments.some((each) => each.invoiceId === invoiceId);
    const obsolete = before.zeroPayments.map(({ invoiceId }) => invoiceId).filter((id) => !isKnown(id));
    if (obsolete.length > 0) {
      await transaction.getRepository(ZeroPayment).delete({ customer, invoiceId: In(obsolete) });
    }
    const added = after.failures.filter((each) => !before.failures.includes(each));
    if (added.length > 0) {
      await transaction.getRepository(PaymentFailure).insert(added.map((each) => ({ ...each, customer })));
    }
    const settled = before.failures.filter((each) => !after.failures.includes(each));
    if (settled.length > 0) {
      await transaction.getRepository(PaymentFailure).delete(settled.map(({ eventId }) => eventId));
    }
  }
}
