import { Invoice } from '@heliograph/billing';
import { billingInvoicePaid, billingPaymentFailed, billingReceiptDue } from '@heliograph/contracts';
import { post } from '@heliograph/credits';
import { clientOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fields } from '../settling/json-fields';
import type { PayerReference } from '../payers/payer';
import type { PaymentFailed, PaymentSucceeded } from '../subscription-state/normalized-event';
import { mergeInvoice } from './merge-invoice';
import type { ReadInvoice } from './read-invoice';
import { readTopUps } from './top-ups';

export interface InvoiceEvent {
  event: PaymentSucceeded | PaymentFailed;
  invoice: ReadInvoice;
  /** The raw invoice object of the processor. */
  object: Fields;
}

/** Stores invoices and grants the purchased credits. A separate job creates the receipt. */
@Injectable()
export class InvoicesService {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /** Requires the payer lock. */
  async record(
    transaction: EntityManager,
    payer: PayerReference,
    { event, invoice, object }: InvoiceEvent,
  ): Promise<void> {
    const repository = transaction.getRepository(Invoice);
    const known = await repository.findOneBy({ id: invoice.id });
    if (known && known.customer !== payer.customer) {
      this.log.warn(
        { invoiceId: invoice.id, customer: payer.customer },
        'invoice ignored, because it belongs to another payer',
      );
      return;
    }
    const { organizationId, workspaceId, customer, correlationId } = payer;
    const merged = mergeInvoice(known, invoice, event);
    await repository.upsert({ ...merged, organizationId, workspaceId, customer }, ['id']);
    const { id: invoiceId, number, amountDue, amountPaid, currency } = merged;
    const context = { organizationId, workspaceId, correlationId };
    const client = await clientOf(transaction);
    if (event.kind === 'failure') {
      const data = { workspaceId, invoiceId, amountDue, currency };
      await addToOutbox(client, [composeEvent(billingPaymentFailed, { ...context, data })]);
      return;
    }
    if (known?.status !== 'paid') {
      const data = { workspaceId, invoiceId, number, amountPaid, currency };
      await addToOutbox(client, [
        composeEvent(billingInvoicePaid, { ...context, data }),
        composeEvent(billingReceiptDue, { ...context, data: { workspaceId, invoiceId } }),
      ]);
    }
    await this.topUp(transaction, payer, invoice.id, object);
  }

  /** The ledger accepts each reference once, so repeated events do not grant credits twice. */
  private async topUp(
    transaction: EntityManager,
    { organizationId, workspaceId, correlationId }: PayerReference,
    invoiceId: string,
    object: Fields,
  ): Promise<void> {
    const { topUps, unreadable } = readTopUps(invoiceId, object);
    for (const problem of unreadable) {
      this.log.warn(
        { invoiceId, requestId: correlationId, ...problem },
        'invoice line ignored, because its credits are invalid',
      );
    }
    await post(
      await clientOf(transaction),
      topUps.map(({ creditType, credits, reference }) => ({
        organizationId,
        workspaceId,
        creditType,
        kind: 'topup',
        amount: credits,
        reference,
        correlationId,
      })),
    );
  }
}
