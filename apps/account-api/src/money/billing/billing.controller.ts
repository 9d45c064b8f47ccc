import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { AccountOperation, ApiFile } from '../../http/envelope';
import { ForeignPageQuery } from '../../http/page.query';
import { BillingState, InvoiceList, OneInvoice } from './billing.dto';
import { BillingService } from './billing.service';

/** Read-only access to the billing records that billing-hook writes. */
@ApiTags('Billing')
@Controller('api/workspaces/:id/billing')
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Get()
  @RequireWorkspacePermission('billing:read')
  @AccountOperation({
    id: 'getBilling',
    summary: 'Get the plan, the subscription and the dunning state of a workspace',

    description: 'While invoices are unpaid, it says when the next reminder or the lock is due.',
    response: BillingState,
  })
  state(@CurrentWorkspace() workspace: Workspace): Promise<BillingState> {
    return this.billing.state(workspace);
  }

  @Get('invoices')
  @RequireWorkspacePermission('billing:read')
  @AccountOperation({
    id: 'listInvoices',
    summary: 'List invoices, newest first',
    description: 'Contains paid and unpaid invoices of the subscription.',
    response: InvoiceList,
  })
  invoices(@CurrentWorkspace() workspace: Workspace, @Query() query: ForeignPageQuery): Promise<InvoiceList> {
    return this.billing.invoices(workspace, query);
  }

  @Get('invoices/:invoiceId')
  @RequireWorkspacePermission('billing:read')
  @AccountOperation({
    id: 'getInvoice',
    summary: 'Get an invoice',
    description: 'Returns an invoice with its lines and the address of its payment page.',
    response: OneInvoice,
  })
  invoice(@CurrentWorkspace() workspace: Workspace, @Param('invoiceId') id: string): Promise<OneInvoice> {
    return this.billing.invoice(workspace, id);
  }

  @Get('invoices/:invoiceId/receipt.pdf')
  @RequireWorkspacePermission('billing:read')
  @AccountOperation({
    id: 'getReceipt',
    summary: 'Download the receipt of a paid invoice',
    description: 'A PDF file. Unpaid invoices have no receipt.',
  })
  @ApiFile('application/pdf', 'PDF')
  receipt(@CurrentWorkspace() workspace: Workspace, @Param('invoiceId') id: string): Promise<StreamableFile> {
    return this.billing.receipt(workspace, id);
  }
}
