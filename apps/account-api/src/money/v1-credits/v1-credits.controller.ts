import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Idempotent } from '@heliograph/idempotency';
import { type V1List, V1Operation } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../../developer/reference/v1-api';
import { V1PurchasesService } from './purchases.service';
import {
  V1Balance,
  V1BalanceQuery,
  V1Purchase,
  V1PurchaseRequest,
  V1Purchases,
  V1PurchasesQuery,
  V1Transaction,
  V1Transactions,
  V1TransactionsQuery,
  V1Transfer,
  V1TransferRequest,
} from './v1-credits.dto';
import { V1CreditsService } from './v1-credits.service';

@V1Api('v1: credits')
@Controller('api/v1/credits')
export class V1CreditsController {
  constructor(
    private readonly credits: V1CreditsService,
    private readonly purchases: V1PurchasesService,
  ) {}

  @Get('balance')
  @RequireV1Permission('credits:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetCreditsBalance',
    summary: 'Get the balances of a workspace',

    description: 'Without `workspace_id`, returns the balances of the oldest active workspace.',
    response: V1Balance,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NO_WORKSPACE'],
  })
  balance(@CurrentCaller() caller: Caller, @Query() query: V1BalanceQuery): Promise<V1Balance> {
    return this.credits.balance(caller, query);
  }

  @Get('transactions')
  @RequireV1Permission('credits:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListCreditTransactions',
    summary: 'List ledger entries, newest first',

    description: 'Filter by `reference` to find the charge and the refunds of a message.',
    response: V1Transactions,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  transactions(@CurrentCaller() caller: Caller, @Query() query: V1TransactionsQuery): Promise<V1List<V1Transaction>> {
    return this.credits.transactions(caller, query);
  }

  @Post('transfer')
  @RequireV1Permission('credits:write')
  @Idempotent()
  @V1Operation({
    id: 'v1TransferCredits',
    summary: 'Transfer credits between two workspaces',

    description: 'Both entries are one transaction. It is 402 if the balance does not cover the amount.',
    status: 201,
    response: V1Transfer,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'INSUFFICIENT_CREDITS', 'PAYLOAD_TOO_LARGE'],
    sample: {
      body: {
        from_workspace_id: '01941f29-7c00-7000-8000-000000000001',
        to_workspace_id: '01941f29-7c00-7000-8000-000000000002',
        credit_type: 'sms',
        amount: 10,
      },
      values: {
        from_workspace_id: { get: '/api/v1/credits/balance', field: 'workspace_id' },
        to_workspace_id: { create: '/api/workspaces', body: { slug: 'demo-transfer', displayName: 'Demo Transfer' } },
      },
    },
  })
  transfer(
    @CurrentCaller() caller: Caller,
    @Body() request: V1TransferRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Transfer> {
    return this.credits.transfer(write, caller, request);
  }

  @Post('purchase')
  @RequireV1Permission('credits:write', { boundKeys: true, evenWhenLocked: true })
  @Idempotent()
  @V1Operation({
    id: 'v1PurchaseCredits',
    summary: 'Buy a package of credits',
    description: 'Open `checkout_url` to pay. The credits are added when the payment processor reports the payment.',
    status: 201,
    response: V1Purchase,
    errors: [
      ...(['INVALID_REQUEST', 'NOT_FOUND', 'NO_WORKSPACE', 'PAYLOAD_TOO_LARGE'] as const),
      ...(['BILLING_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'] as const),
    ],
  })
  purchase(
    @CurrentCaller() caller: Caller,
    @Body() request: V1PurchaseRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Purchase> {
    return this.purchases.create(write, caller, request);
  }

  @Get('purchases')
  @RequireV1Permission('credits:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListPurchases',
    summary: 'List purchases of credits, newest first',

    description: 'Contains pending and expired purchases.',
    response: V1Purchases,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1PurchasesQuery): Promise<V1List<V1Purchase>> {
    return this.purchases.list(caller, query);
  }

  @Get('purchases/:purchaseId')
  @RequireV1Permission('credits:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetPurchase',
    summary: 'Get a purchase of credits',

    description:
      'A purchase is `paid` once the payment processor has confirmed the payment, not when the browser returns.',
    response: V1Purchase,
    errors: ['NOT_FOUND'],
    sample: { values: { purchaseId: { create: '/api/v1/credits/purchase' } } },
  })
  get(@CurrentCaller() caller: Caller, @Param('purchaseId') id: string): Promise<V1Purchase> {
    return this.purchases.get(caller, id);
  }
}
