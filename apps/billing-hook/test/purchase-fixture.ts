import { Purchase } from '@heliograph/billing';
import { balanceOf, post, transfer, type LedgerPosting } from '@heliograph/credits';
import { clientOf, newId, poolOf } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { nowSeconds, type BillingFixture, type BillingTenant, type PaymentEvent } from './billing-fixture';

/** Purchases of credits in the database, and the events of the processor about them. */
export class PurchaseFixture {
  constructor(private readonly billing: BillingFixture) {}

  get pool(): Pool {
    return poolOf(this.billing.tenants.dataSource);
  }

  get repository(): Repository<Purchase> {
    return this.billing.tenants.dataSource.getRepository(Purchase);
  }

  balance({ workspaceId }: Pick<BillingTenant, 'workspaceId'>): Promise<number> {
    return balanceOf(this.pool, workspaceId, 'sms');
  }

  /** Stores a purchase in the same way as account-api when a checkout is created. */
  async pending(tenant: BillingTenant, fields: Partial<Purchase> = {}): Promise<Purchase> {
    const purchase = this.repository.create({
      id: newId(),
      organizationId: tenant.organizationId,
      workspaceId: tenant.workspaceId,
      status: 'pending',
      package: 'sms-1000',
      quantity: 2,
      creditType: 'sms',
      credits: 2_000,
      amount: 40_000,
      currency: 'INR',
      checkoutId: `cs_${unique()}`,
      expiresAt: new Date(Date.now() + 86_400_000),
      createdAt: new Date(),
      ...fields,
    });
    await this.repository.insert(purchase);
    return purchase;
  }

  /** Stores a purchase and applies its payment. */
  async paid(tenant: BillingTenant, fields: Partial<Purchase> = {}): Promise<Purchase> {
    const purchase = await this.pending(tenant, fields);
    await this.billing.settle(completed(purchase));
    return purchase;
  }

  stored({ id }: Purchase): Promise<Purchase> {
    return this.repository.findOneByOrFail({ id });
  }

  /** Adds another workspace to the organization of a tenant. */
  async sibling(tenant: BillingTenant): Promise<BillingTenant> {
    const { id: workspaceId } = await this.billing.tenants.workspace(tenant.organizationId);
    return { ...tenant, workspaceId };
  }

  async move(from: BillingTenant, to: BillingTenant, amount: number): Promise<string> {
    const moved = await this.billing.tenants.dataSource.transaction(async (transaction) =>
      transfer(await clientOf(transaction), {
        organizationId: from.organizationId,
        fromWorkspaceId: from.workspaceId,
        toWorkspaceId: to.workspaceId,
        creditType: 'sms',
        amount,
        transferId: newId(),
        correlationId: null,
      }),
    );
    return moved.outcome;
  }

  /** Posts an entry, a charge if the amount is negative, and returns its outcome. */
  async add(tenant: BillingTenant, amount: number, more: Partial<LedgerPosting> = {}): Promise<string | undefined> {
    const { organizationId, workspaceId } = tenant;
    const [result] = await post(this.pool, [
      {
        organizationId,
        workspaceId,
        creditType: 'sms',
        kind: amount < 0 ? 'charge' : 'topup',
        amount,
        reference: `test:${unique()}`,
        correlationId: null,
        ...more,
      },
    ]);
    return result?.outcome;
  }
}

export function completed(purchase: Purchase, fields: Record<string, unknown> = {}): PaymentEvent {
  return event('checkout.session.completed', {
    id: purchase.checkoutId,
    object: 'checkout.session',
    client_reference_id: purchase.id,
    payment_status: 'paid',
    amount_total: purchase.amount,
    currency: 'inr',
    payment_intent: paymentOf(purchase),
    customer_details: { name: 'Acme', email: 'books@acme.example' },
    ...fields,
  });
}

export function expired(purchase: Purchase): PaymentEvent {
  return event('checkout.session.expired', { id: purchase.checkoutId, client_reference_id: purchase.id });
}

/** `amount`: the total of all refunds. */
export function refunded(purchase: Purchase, amount: number, fields: Record<string, unknown> = {}): PaymentEvent {
  return event('charge.refunded', {
    id: `ch_${purchase.id}`,
    payment_intent: paymentOf(purchase),
    amount: purchase.amount,
    amount_refunded: amount,
    ...fields,
  });
}

export function disputed(
  purchase: Purchase,
  change: 'created' | 'updated' | 'closed',
  fields: Record<string, unknown> = {},
): PaymentEvent {
  return event(`charge.dispute.${change}`, {
    id: `dp_${purchase.id}`,
    object: 'dispute',
    charge: `ch_${purchase.id}`,
    payment_intent: paymentOf(purchase),
    amount: purchase.amount,
    currency: 'inr',
    status: 'needs_response',
    ...fields,
  });
}

function event(type: string, object: Record<string, unknown>): PaymentEvent {
  return { type, created: nowSeconds(), data: { object } };
}

function paymentOf({ id }: Purchase): string {
  return `pi_${id}`;
}
