import { Controller, Get, Inject, Param, Post, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CREDIT_TYPES } from '@heliograph/contracts';
import type { Workspace } from '@heliograph/tenancy';
import type { Response } from 'express';
import { OnWorkspace } from '../access/access.decorators';
import { ByCaller, InWorkspace, type Caller } from '../access/caller';
import { Answers, AnswersFile, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { sendCsv } from '../http/send-csv';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/workspaces/:id/credits')
export class CreditsController {
  constructor(@Inject(CreditsService) private readonly credits: CreditsService) {}

  @Get()
  @OnWorkspace('credits:read')
  @ApiOperation({ operationId: 'getBalances', summary: 'The balances, one for each channel' })
  @Answers(Balances)
  @RefusesWith('NOT_FOUND')
  async balances(@InWorkspace() workspace: Workspace): Promise<Balances> {
    const balances = await this.credits.balances(workspace);
    return { workspaceId: workspace.id, balances: balances.map((balance) => BalanceRecord.of(balance)) };
  }

  @Get('ledger')
  @OnWorkspace('credits:read')
  @ApiOperation({ operationId: 'listLedger', summary: 'Every movement of credits, newest first' })
  @Answers(EntryList)
  @RefusesWith('NOT_FOUND', 'VALIDATION_ERROR')
  async ledger(@InWorkspace() workspace: Workspace, @QueryOf(LedgerQuery) query: LedgerQuery): Promise<EntryList> {
    const { items, next } = await this.credits.entries(workspace, filterOf(query), pageOf(query));
    return { entries: items.map((entry) => EntryRecord.of(entry)), ...nextCursor(next) };
  }

  @Get('ledger.csv')
  @OnWorkspace('credits:read')
  @ApiOperation({ operationId: 'exportLedger', summary: 'The same as a CSV file, all of it' })
  @AnswersFile('text/csv', 'RFC 4180, with a header line')
  @RefusesWith('NOT_FOUND', 'VALIDATION_ERROR')
  async export(
    @InWorkspace() workspace: Workspace,
    @QueryOf(ExportQuery) query: ExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.credits.export(workspace, filterOf(query));
    await sendCsv(response, `ledger-${workspace.slug}.csv`, LEDGER_CSV_HEADER, batches, ledgerCsv);
  }

  @Post('transfers')
  @OnWorkspace('credits:write')
  @ApiOperation({ operationId: 'transferCredits', summary: 'Gives credits to another workspace of the organization' })
  @TakesBodyOnce(TransferRequest)
  @Answers(OneTransfer, 201)
  @RefusesWith('NOT_FOUND', 'INSUFFICIENT_CREDITS')
  async transfer(
    @InWorkspace() workspace: Workspace,
    @ByCaller() caller: Caller,
    @JsonBody(TransferRequest) asked: TransferRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneTransfer> {
    return { transfer: await this.credits.transfer(call, caller, workspace, asked) };
  }

  @Put('thresholds/:creditType')
  @OnWorkspace('credits:write')
  @ApiOperation({
    operationId: 'setLowThreshold',
    summary: `Sets below which balance credits are low; credit types: ${CREDIT_TYPES.join(', ')}`,
  })
  @TakesBodyOnce(ThresholdRequest)
  @Answers(OneBalance)
  @RefusesWith('NOT_FOUND')
  async setThreshold(
    @InWorkspace() workspace: Workspace,
    @Param('creditType') creditType: string,
    @JsonBody(ThresholdRequest) { lowThreshold }: ThresholdRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneBalance> {
    return { balance: await this.credits.setThreshold(call, workspace, creditType, lowThreshold) };
  }
}
