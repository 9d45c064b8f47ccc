import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { dunningOf, invoiceOf, listInvoices, receiptOf, subscriptionOf } from '@heliograph/billing';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { OnWorkspace } from '../access/access.decorators';
import { InWorkspace } from '../access/caller';
import { Answers, AnswersFile, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { ForeignPageQuery, nextCursor, pageOf, QueryOf } from '../http/query';
import { BillingState, InvoiceAnswer, InvoiceList, OneInvoice } from './billing.dto';

/** What the payment processor has told of a workspace. It is read here; billing-hook writes it. */
@ApiTags('Billing')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/billing')
export class BillingController {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  @Get()
  @OnWorkspace('billing:read')
  @ApiOperation({ operationId: 'getBilling', summary: 'Plan, subscription, and reminders of a failed payment' })
  @Answers(BillingState)
  async state(@InWorkspace() workspace: Workspace): Promise<BillingState> {
    const { id, organizationId } = workspace;
    const pool = poolOf(this.dataSource);
    const [subscription, dunning] = await Promise.all([
      subscriptionOf(pool, organizationId, id),
      dunningOf(pool, organizationId, id),
    ]);
    return BillingState.of(workspace, subscription, dunning);
  }

  @Get('invoices')
  @OnWorkspace('billing:read')
  @ApiOperation({ operationId: 'listInvoices', summary: 'The invoices, newest first' })
  @Answers(InvoiceList)
  @RefusesWith('VALIDATION_ERROR')
  async invoices(
    @InWorkspace() { id, organizationId }: Workspace,
    @QueryOf(ForeignPageQuery) query: ForeignPageQuery,
  ): Promise<InvoiceList> {
    const { items, next } = await listInvoices(poolOf(this.dataSource), organizationId, id, pageOf(query));
    return { invoices: items.map((invoice) => InvoiceAnswer.of(invoice)), ...nextCursor(next) };
  }

  @Get('invoices/:invoiceId')
  @OnWorkspace('billing:read')
  @ApiOperation({ operationId: 'getInvoice', summary: 'One invoice' })
  @Answers(OneInvoice)
  async invoice(
    @InWorkspace() { id, organizationId }: Workspace,
    @Param('invoiceId') invoiceId: string,
  ): Promise<OneInvoice> {
    const invoice = await invoiceOf(poolOf(this.dataSource), organizationId, id, invoiceId);
    if (!invoice) throw new AppError('NOT_FOUND', 'The workspace has no such invoice.');
    return { invoice: InvoiceAnswer.of(invoice) };
  }

  @Get('invoices/:invoiceId/receipt.pdf')
  @OnWorkspace('billing:read')
  @ApiOperation({ operationId: 'getReceipt', summary: 'The receipt of a paid invoice' })
  @AnswersFile('application/pdf', 'PDF')
  async receipt(
    @InWorkspace() { id, organizationId }: Workspace,
    @Param('invoiceId') invoiceId: string,
    @Res() response: Response,
  ): Promise<void> {
    const receipt = await receiptOf(poolOf(this.dataSource), organizationId, id, invoiceId);
    if (!receipt) throw new AppError('NOT_FOUND', 'There is no receipt for this invoice, or not yet.');
    response
      .set({
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${receipt.filename.replace(/[^\w.-]/g, '_')}"`,
      })
      .send(receipt.pdf);
  }
}
