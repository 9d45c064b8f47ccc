import { Controller, Get, Param, Post, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CREDIT_TYPES } from '@heliograph/contracts';
import type { Workspace } from '@heliograph/tenancy';
import type { Response } from 'express';
import { RequireWorkspacePermission } from '../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type Caller } from '../access/caller';
import { ApiData, ApiFile, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { sendCsv } from '../http/send-csv';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  BalanceRecord,
  Balances,
  EntryList,
  EntryRecord,
  ExportQuery,
  filterOf,
  LedgerQuery,
  OneBalance,
  OneTransfer,
  ThresholdRequest,
  TransferRequest,
} from './credits.dto';
import { CreditsService } from './credits.service';
import { LEDGER_CSV_HEADER, ledgerCsv } from './ledger-csv';

@ApiTags('Credits')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/workspaces/:id/credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get()
  @RequireWorkspacePermission('credits:read')
  @ApiOperation({ operationId: 'getBalances', summary: 'Get the balances of all credit types' })
  @ApiData(Balances)
  @ApiErrors('NOT_FOUND')
  async balances(@CurrentWorkspace() workspace: Workspace): Promise<Balances> {
    const balances = await this.credits.balances(workspace);
    return { workspaceId: workspace.id, balances: balances.map((balance) => BalanceRecord.of(balance)) };
  }

  @Get('ledger')
  @RequireWorkspacePermission('credits:read')
  @ApiOperation({ operationId: 'listLedger', summary: 'List ledger entries, newest first' })
  @ApiData(EntryList)
  @ApiErrors('NOT_FOUND', 'VALIDATION_ERROR')
  async ledger(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(LedgerQuery) query: LedgerQuery,
  ): Promise<EntryList> {
    const { items, next } = await this.credits.entries(workspace, filterOf(query), pageOf(query));
    return { entries: items.map((entry) => EntryRecord.of(entry)), ...nextCursor(next) };
  }

  @Get('ledger.csv')
  @RequireWorkspacePermission('credits:read')
  @ApiOperation({ operationId: 'exportLedger', summary: 'Export ledger entries as a CSV file' })
  @ApiFile('text/csv', 'RFC 4180, with a header line')
  @ApiErrors('NOT_FOUND', 'VALIDATION_ERROR')
  async export(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(ExportQuery) query: ExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.credits.export(workspace, filterOf(query));
    await sendCsv(response, `ledger-${workspace.slug}.csv`, LEDGER_CSV_HEADER, batches, ledgerCsv);
  }

  @Post('transfers')
  @RequireWorkspacePermission('credits:write')
  @ApiOperation({
    operationId: 'transferCredits',
    summary: 'Transfer credits to another workspace of the organization',
  })
  @ApiIdempotentBody(TransferRequest)
  @ApiData(OneTransfer, 201)
  @ApiErrors('NOT_FOUND', 'INSUFFICIENT_CREDITS')
  async transfer(
    @CurrentWorkspace() workspace: Workspace,
    @CurrentCaller() caller: Caller,
    @JsonBody(TransferRequest) body: TransferRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneTransfer> {
    return { transfer: await this.credits.transfer(write, caller, workspace, body) };
  }

  @Put('thresholds/:creditType')
  @RequireWorkspacePermission('credits:write')
  @ApiOperation({
    operationId: 'setLowThreshold',
    summary: `Set the low-balance threshold of a credit type: ${CREDIT_TYPES.join(', ')}`,
  })
  @ApiIdempotentBody(ThresholdRequest)
  @ApiData(OneBalance)
  @ApiErrors('NOT_FOUND')
  async setThreshold(
    @CurrentWorkspace() workspace: Workspace,
    @Param('creditType') creditType: string,
    @JsonBody(ThresholdRequest) { lowThreshold }: ThresholdRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBalance> {
    return { balance: await this.credits.setThreshold(write, workspace, creditType, lowThreshold) };
  }
}
