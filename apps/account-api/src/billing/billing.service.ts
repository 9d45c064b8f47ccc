import { Injectable, StreamableFile } from '@nestjs/common';
import { dunningOf, invoiceOf, listInvoices, receiptOf, subscriptionOf } from '@heliograph/billing';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { pageOf, type ForeignPageQuery } from '../http/page.query';
import { BillingState, InvoiceList, OneInvoice } from './billing.dto';

/** Reads the billing records of a workspace. */
@Injectable()
export class BillingService {
  constructor(private readonly pool: Pool) {}

  async state(workspace: Workspace): Promise<BillingState> {
    const { id, organizationId } = workspace;
    const [subscription, dunning] = await Promise.all([
      subscriptionOf(this.pool, organizationId, id),
      dunningOf(this.pool, organizationId, id),
    ]);
    return BillingState.of(workspace, subscription, dunning);
  }

  async invoices({ id, organizationId }: Workspace, query: ForeignPageQuery): Promise<InvoiceList> {
    return InvoiceList.of(await listInvoices(this.pool, organizationId, id, pageOf(query)));
  }

  /** Throws NOT_FOUND. */
  async invoice({ id, organizationId }: Workspace, invoiceId: string): Promise<OneInvoice> {
    const invoice = await invoiceOf(this.pool, organizationId, id, invoiceId);
    if (!invoice)
      throw new AppError('NOT_FOUND', 'Invoice not found in this workspace. List the invoices to get valid ids.');
    return OneInvoice.of(invoice);
  }

  /** Returns the receipt of a paid invoice as a PDF. Throws NOT_FOUND. */
  async receipt({ id, organizationId }: Workspace, invoiceId: string): Promise<StreamableFile> {
    const receipt = await receiptOf(this.pool, organizationId, id, invoiceId);
    if (!receipt) {
      throw new AppError('NOT_FOUND', 'This invoice has no receipt yet. Receipts are created after payment.');
    }
    const disposition = `attachment; filename="${receipt.filename.replace(/[^\w.-]/g, '_')}"`;
    return new StreamableFile(receipt.pdf, { type: 'application/pdf', disposition, length: receipt.pdf.length });
  }
}
