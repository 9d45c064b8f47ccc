import { Injectable, StreamableFile } from '@nestjs/common';
import { BillingRecords, type BilledWorkspace } from '@heliograph/billing';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { ForeignPageQuery } from '../../http/page.query';
import { BillingState, InvoiceList, OneInvoice } from './billing.dto';

/** Reads the billing records of a workspace. */
@Injectable()
export class BillingService {
  constructor(private readonly records: BillingRecords) {}

  async state(workspace: Workspace): Promise<BillingState> {
    const [subscription, dunning] = await Promise.all([
      this.records.subscriptionOf(billed(workspace)),
      this.records.dunningOf(billed(workspace)),
    ]);
    return BillingState.of(workspace, subscription, dunning);
  }

  async invoices(workspace: Workspace, query: ForeignPageQuery): Promise<InvoiceList> {
    return InvoiceList.of(await this.records.listInvoices(billed(workspace), pageOf(query)));
  }

  /** Throws NOT_FOUND. */
  async invoice(workspace: Workspace, invoiceId: string): Promise<OneInvoice> {
    const invoice = await this.records.invoiceOf(billed(workspace), invoiceId);
    if (!invoice)
      throw new AppError('NOT_FOUND', 'Invoice not found in this workspace. List the invoices to get valid ids.');
    return OneInvoice.of(invoice);
  }

  /** Returns the receipt of a paid invoice as a PDF. Throws NOT_FOUND. */
  async receipt(workspace: Workspace, invoiceId: string): Promise<StreamableFile> {
    const receipt = await this.records.receiptOf(billed(workspace), invoiceId);
    if (!receipt) {
      throw new AppError('NOT_FOUND', 'This invoice has no receipt yet. Receipts are created after payment.');
    }
    const disposition = `attachment; filename="${receipt.filename.replace(/[^\w.-]/g, '_')}"`;
    return new StreamableFile(receipt.pdf, { type: 'application/pdf', disposition, length: receipt.pdf.length });
  }
}

function billed({ id, organizationId }: Workspace): BilledWorkspace {
  return { organizationId, workspaceId: id };
}
