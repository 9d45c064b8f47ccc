import { Body, Controller, Get, Param, Post, Put, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CREDIT_TYPES } from '@heliograph/contracts';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type Caller } from '../../access/caller';
import { AccountOperation, ApiFile, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import {
  Balances,
  EntryList,
  ExportQuery,
  LedgerQuery,
  OneBalance,
  OneTransfer,
  ThresholdRequest,
  TransferRequest,
} from './credits.dto';
import { CreditsService } from './credits.service';

@ApiTags('Credits')
@Controller('api/workspaces/:id/credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get()
  @RequireWorkspacePermission('credits:read')
  @AccountOperation({
    id: 'getBalances',
    summary: 'Get the balances of all credit types',
    description: 'Returns the balance and the low-balance threshold of each credit type.',
    response: Balances,
  })
  balances(@CurrentWorkspace() workspace: Workspace): Promise<Balances> {
    return this.credits.balances(workspace);
  }

  @Get('ledger')
  @RequireWorkspacePermission('credits:read')
  @AccountOperation({
    id: 'listLedger',
    summary: 'List ledger entries, newest first',
    description: 'Every change of a balance is an entry: charges, refunds, top-ups, transfers and adjustments.',
    response: EntryList,
  })
  ledger(@CurrentWorkspace() workspace: Workspace, @Query() query: LedgerQuery): Promise<EntryList> {
    return this.credits.entries(workspace, query);
  }

  @Get('ledger.csv')
  @RequireWorkspacePermission('credits:read')
  @AccountOperation({
    id: 'exportLedger',
    summary: 'Export ledger entries as a CSV file',
    description: 'The file has the filters and the order of the list, and is streamed.',
  })
  @ApiFile('text/csv', 'CSV file (RFC 4180) with a header line')
  export(@CurrentWorkspace() workspace: Workspace, @Query() query: ExportQuery): Promise<StreamableFile> {
    return this.credits.export(workspace, query);
  }

  @Post('transfers')
  @RequireWorkspacePermission('credits:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'transferCredits',
    summary: 'Transfer credits to another workspace of the organization',

    description: 'Both entries are one transaction. It is 402 if the balance does not cover the amount.',
    status: 201,
    response: OneTransfer,
    errors: ['INSUFFICIENT_CREDITS'],
    sample: {
      body: { toWorkspaceId: '01941f29-7c00-7000-8000-000000000002', creditType: 'sms', amount: 10 },
      values: {
        toWorkspaceId: { create: '/api/workspaces', body: { slug: 'demo-branch', displayName: 'Demo Branch' } },
      },
    },
  })
  transfer(
    @CurrentWorkspace() workspace: Workspace,
    @CurrentCaller() caller: Caller,
    @Body() body: TransferRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneTransfer> {
    return this.credits.transfer(write, caller, workspace, body, (transfer) => ({ transfer }));
  }

  @Put('thresholds/:creditType')
  @RequireWorkspacePermission('credits:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'setLowThreshold',
    summary: `Set the low-balance threshold of a credit type (${CREDIT_TYPES.join(', ')})`,

    description: 'The event `credits.low` is raised when the balance falls below the threshold.',
    response: OneBalance,
    sample: { body: { lowThreshold: 100 }, values: { creditType: 'sms' } },
  })
  setThreshold(
    @CurrentWorkspace() workspace: Workspace,
    @Param('creditType') creditType: string,
    @Body() { lowThreshold }: ThresholdRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneBalance> {
    return this.credits.setThreshold(write, workspace, creditType, lowThreshold);
  }
}
