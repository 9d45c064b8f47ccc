import { Invoice } from '@heliograph/billing';
import { billingInvoicePaid, billingPaymentFailed, billingReceiptDue } from '@heliograph/contracts';
import { post } from '@heliograph/credits';
import { clientOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Fields } from '../settling/json-fields';
import type { PaidFor } from '../settling/payer';
import type { FailureFact, PaymentFact } from '../standing/facts';
import { mergeInvoice } from './merge-invoice';
import type { ReadInvoice } from './read-invoice';
import { readTopUps } from './top-ups';

export interface InvoiceNews {
  fact: PaymentFact | FailureFact;
  invoice: ReadInvoice;
  /** The invoice as the processor has it. */
  object: Fields;
}

/** Records invoices, and gives what they bought. The receipt is a job of its own. */
@Injectable()
export class InvoicesService {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /** Needs the payer's lock. */
  async record(transaction: EntityManager, paidFor: PaidFor, { fact, invoice, object }: InvoiceNews): Promise<void> {
    const repository = transaction.getRepository(Invoice);
    const known = await repository.findOneBy({ id: invoice.id });
    if (known && known.customer !== paidFor.customer) {
      this.log.warn(
        { invoiceId: invoice.id, customer: paidFor.customer },
        "an invoice is another payer's already; it is left alone",
      );
      return;
    }
    const { organizationId, workspaceId, customer, correlationId } = paidFor;
    const merged = mergeInvoice(known, invoice, fact);
    await repository.upsert({ ...merged, organizationId, workspaceId, customer }, ['id']);
    const { id: invoiceId, number, amountDue, amountPaid, currency } = merged;
    const about = { organizationId, workspaceId, correlationId };
    const client = clientOf(transaction);
    if (fact.kind === 'failure') {
      const data = { workspaceId, invoiceId, amountDue, currency };
      await addToOutbox(client, [composeEvent(billingPaymentFailed, { ...about, data })]);
      return;
    }
    if (known?.status !== 'paid') {
      const data = { workspaceId, invoiceId, number, amountPaid, currency };
      await addToOutbox(client, [
        composeEvent(billingInvoicePaid, { ...about, data }),
        composeEvent(billingReceiptDue, { ...about, data: { workspaceId, invoiceId } }),
      ]);
    }
    await this.topUp(transaction, paidFor, invoice.id, object);
  }

  /** The ledger takes each reference once, whatever event brings it. */
  private async topUp(
    transaction: EntityManager,
    { organizationId, workspaceId, correlationId }: PaidFor,
    invoiceId: string,
    object: Fields,
  ): Promise<void> {
    const { topUps, unreadable } = readTopUps(invoiceId, object);
    for (const problem of unreadable) {
      this.log.warn(
        { invoiceId, requestId: correlationId, ...problem },
        'an invoice line names credits that cannot be given',
      );
    }
    await post(
      clientOf(transaction),
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
