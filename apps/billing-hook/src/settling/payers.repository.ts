import { Payer, PaymentFailure, Subscription } from '@heliograph/billing';
import { clientOf } from '@heliograph/database';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Registers, SubscriptionRegister } from '../standing/registers';
import type { PaidFor } from './payer';

// Any constant does; it keeps these locks apart from those of others.
const PAYER_LOCK = 7_236_100_418;

/**
 * What is known of payers. One at a time changes a payer, in whichever process: take its lock before anything is read.
 * A payer is a tenant of the processor: its workspace was found through it, so these ask by customer alone.
 */
@Injectable()
export class PayersRepository {
  /** Until the end of the transaction. */
  async lock(transaction: EntityManager, customer: string): Promise<void> {
    await clientOf(transaction).query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [customer, PAYER_LOCK]);
  }

  /** As `lock`; false, where somebody else has it. */
  async tryLock(transaction: EntityManager, customer: string): Promise<boolean> {
    const { rows } = await clientOf(transaction).query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS locked',
      [customer, PAYER_LOCK],
    );
    return rows[0]?.locked === true;
  }

  async load(transaction: EntityManager, customer: string): Promise<Registers> {
    const payer = await transaction.getRepository(Payer).findOneBy({ customer });
    const subscriptions = await transaction.getRepository(Subscription).findBy({ customer });
    const failures = await transaction.getRepository(PaymentFailure).findBy({ customer });
    return {
      paid: payer?.paid ?? null,
      subscriptions: subscriptions.map(
        ({ customer: _c, organizationId: _o, workspaceId: _w, ...register }) => register as SubscriptionRegister,
      ),
      failures: failures.map(({ customer: _c, ...register }) => register),
    };
  }

  /** Writes what differs. */
  async save(transaction: EntityManager, paidFor: PaidFor, before: Registers, after: Registers): Promise<void> {
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
