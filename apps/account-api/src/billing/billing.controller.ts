import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { dunningOf, invoiceOf, listInvoices, receiptOf, subscriptionOf } from '@heliograph/billing';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import type { Response } from 'express';
import { RequireWorkspacePermission } from '../access/access.decorators';
import { CurrentWorkspace } from '../access/caller';
import { ApiData, ApiFile, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { ForeignPageQuery, nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { BillingState, InvoiceAnswer, InvoiceList, OneInvoice } from './billing.dto';

/** Read-only view of the billing records that billing-hook writes. */
@ApiTags('Billing')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/billing')
export class BillingController {
  constructor(private readonly pool: Pool) {}

  @Get()
  @RequireWorkspacePermission('billing:read')
  @ApiOperation({
    operationId: 'getBilling',
    summary: 'Get the plan, the subscription and the dunning state of a workspace',
  })
  @ApiData(BillingState)
  async state(@CurrentWorkspace() workspace: Workspace): Promise<BillingState> {
    const { id, organizationId } = workspace;
    const pool = this.pool;
    const [subscription, dunning] = await Promise.all([
      subscriptionOf(pool, organizationId, id),
      dunningOf(pool, organizationId, id),
    ]);
    return BillingState.of(workspace, subscription, dunning);
  }

  @Get('invoices')
  @RequireWorkspacePermission('billing:read')
  @ApiOperation({ operationId: 'listInvoices', summary: 'List invoices, newest first' })
  @ApiData(InvoiceList)
  @ApiErrors('VALIDATION_ERROR')
  async invoices(
    @CurrentWorkspace() { id, organizationId }: Workspace,
    @ValidatedQuery(ForeignPageQuery) query: ForeignPageQuery,
  ): Promise<InvoiceList> {
    const { items, next } = await listInvoices(this.pool, organizationId, id, pageOf(query));
    return { invoices: items.map((invoice) => InvoiceAnswer.of(invoice)), ...nextCursor(next) };
  }

  @Get('invoices/:invoiceId')
  @RequireWorkspacePermission('billing:read')
  @ApiOperation({ operationId: 'getInvoice', summary: 'Get an invoice' })
  @ApiData(OneInvoice)
  async invoice(
    @CurrentWorkspace() { id, organizationId }: Workspace,
    @Param('invoiceId') invoiceId: string,
  ): Promise<OneInvoice> {
    const invoice = await invoiceOf(this.pool, organizationId, id, invoiceId);
    if (!invoice) throw new AppError('NOT_FOUND', 'Invoice not found in this workspace.');
    return { invoice: InvoiceAnswer.of(invoice) };
  }

  @Get('invoices/:invoiceId/receipt.pdf')
  @RequireWorkspacePermission('billing:read')
  @ApiOperation({ operationId: 'getReceipt', summary: 'Download the receipt of a paid invoice' })
  @ApiFile('application/pdf', 'PDF')
  async receipt(
    @CurrentWorkspace() { id, organizationId }: Workspace,
    @Param('invoiceId') invoiceId: string,
    @Res() response: Response,
  ): Promise<void> {
    const receipt = await receiptOf(this.pool, organizationId, id, invoiceId);
    if (!receipt)
      throw new AppError('NOT_FOUND', 'This invoice has no receipt yet. Receipts are created after payment.');
    response
      .set({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${receipt.filename.replace(/[^\w.-]/g, '_')}"`,
      })
      .send(receipt.pdf);
  }
}
