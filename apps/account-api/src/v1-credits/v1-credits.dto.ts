import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { Purchase } from '@heliograph/billing';
import { PURCHASE_STATUSES, type PurchaseStatus } from '@heliograph/billing';
import { CREDIT_TYPES, type CreditType, type PurchaseRecord } from '@heliograph/contracts';
import { LEDGER_KINDS, type LedgerEntryRow, type LedgerKind } from '@heliograph/credits';
import {
  isStorableText,
  isUrlText,
  IsInstant,
  IsOneOf,
  rule,
  V1ListQuery,
  V1Request,
  v1Timestamp,
  IsWorkspaceId,
} from '@heliograph/service-kit';

const MAX_QUANTITY = 100;
const MAX_URL_LENGTH = 2_000;
const MAX_AMOUNT = 1_000_000_000_000;
const CREDIT_TYPE_RULE = `credit_type must be one of: ${CREDIT_TYPES.join(', ')}.`;

const IsV1CreditType = () =>
  rule('isCreditType', CREDIT_TYPE_RULE, (value) => (CREDIT_TYPES as readonly unknown[]).includes(value));

const IsCount = (field: string, most: number) =>
  rule(
    'isCount',
    `${field} must be a whole number from 1 to ${most}.`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most,
  );

@V1Request()
export class V1BalanceQuery {
  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Id of the workspace. The default is the oldest active workspace',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
}

export class V1Balance {
  @ApiProperty({ format: 'uuid' })
  workspace_id: string;
  @ApiProperty({ type: 'integer' })
  sms: number;
  @ApiProperty({ type: 'integer' })
  email: number;
  @ApiProperty({ type: 'integer', description: 'Balance in minor units of `chatapp_currency`' })
  chatapp: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'ISO 4217 code of the currency; `null` while no prices are set',
  })
  chatapp_currency: string | null;
}

@V1Request()
export class V1TransactionsQuery extends V1ListQuery {
  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Id of a workspace. By default the list contains all workspaces of the organization',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
  @ApiProperty({ required: false, enum: CREDIT_TYPES })
  @IsOptional()
  @IsOneOf('credit_type', CREDIT_TYPES)
  credit_type?: CreditType;
  @ApiProperty({ required: false, enum: LEDGER_KINDS })
  @IsOptional()
  @IsOneOf('kind', LEDGER_KINDS)
  kind?: LedgerKind;
  @ApiProperty({ required: false, format: 'date-time', description: 'Returns entries at or after this time' })
  @IsOptional()
  @IsInstant('from')
  from?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Returns entries before this time' })
  @IsOptional()
  @IsInstant('until')
  until?: string;
  @ApiProperty({ required: false, description: 'Returns entries with exactly this reference' })
  @IsOptional()
  @rule('isReference', 'reference must be a string of at most 255 characters.', (value) => isStorableText(value, 255))
  reference?: string;
}

const DESCRIPTIONS: Readonly<Record<LedgerKind, string>> = {
  charge: 'Charge of a message',
  refund: 'Refund of a message',
  topup: 'Credits added',
  transfer: 'Transfer between workspaces',
  adjustment: 'Correction',
};

/** Describes an entry about a purchase: its reference is `purchase:<id>` or `purchase:<id>:<reason>:…`. */
function purchaseDescription(reference: string): string | null {
  const [what, , reason] = reference.split(':');
  if (what !== 'purchase') return null;
  if (reason === 'freeze') return 'Credits frozen by a payment dispute';
  if (reason === 'release') return 'Frozen credits released after a payment dispute';
  return reason === 'refund' ? 'Refund of a purchase' : 'Purchase';
}

export class V1Transaction {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  workspace_id: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  credit_type: CreditType;
  @ApiProperty({ enum: LEDGER_KINDS })
  kind: LedgerKind;
  @ApiProperty({ type: 'integer', description: 'Amount of the entry. It is negative for a charge' })
  amount: number;
  @ApiProperty({ type: 'integer' })
  balance_after: number;
  @ApiProperty()
  reference: string;
  @ApiProperty()
  description: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of({ id, workspaceId, creditType, kind, amount, balanceAfter, ...entry }: LedgerEntryRow): V1Transaction {
    const description = purchaseDescription(entry.reference) ?? DESCRIPTIONS[kind];
    return {
      id,
      workspace_id: workspaceId,
      credit_type: creditType,
      kind,
      amount,
      balance_after: balanceAfter,
      reference: entry.reference,
      description,
      created_at: v1Timestamp(entry.createdAt),
    };
  }
}

export class V1Transactions {
  @ApiProperty({ type: [V1Transaction] })
  data: V1Transaction[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}

@V1Request()
export class V1TransferRequest {
  @ApiProperty({ format: 'uuid' })
  @IsWorkspaceId('from_workspace_id')
  from_workspace_id: string;
  @ApiProperty({ format: 'uuid' })
  @IsWorkspaceId('to_workspace_id')
  to_workspace_id: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsV1CreditType()
  credit_type: CreditType;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT })
  @IsCount('amount', MAX_AMOUNT)
  amount: number;
}

export class V1Transfer {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  from_workspace_id: string;
  @ApiProperty({ format: 'uuid' })
  to_workspace_id: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  credit_type: CreditType;
  @ApiProperty({ type: 'integer' })
  amount: number;
  @ApiProperty({ type: 'integer', description: 'Balance of the paying workspace after the transfer' })
  from_balance: number;
  @ApiProperty({ type: 'integer', description: 'Balance of the receiving workspace after the transfer' })
  to_balance: number;
}

@V1Request()
export class V1PurchaseRequest {
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsV1CreditType()
  credit_type: CreditType;
  @ApiProperty({ description: 'Key of a package of the credit type', example: 'sms-1000' })
  @rule('isPackage', 'package must be the key of a package.', (value) => isStorableText(value, 100) && value !== '')
  package: string;
  @ApiProperty({ required: false, nullable: true, type: 'integer', minimum: 1, maximum: MAX_QUANTITY, default: 1 })
  @IsOptional()
  @IsCount('quantity', MAX_QUANTITY)
  quantity?: number | null;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'https, or an own origin. Default: a page of this system that confirms the purchase',
  })
  @IsOptional()
  @rule('isUrl', 'success_url must be an https URL without control and invisible characters.', isReturnUrl)
  success_url?: string | null;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    description: 'https, or an own origin. Default: a page of this system that says that nothing was charged',
  })
  @IsOptional()
  @rule('isUrl', 'cancel_url must be an https URL without control and invisible characters.', isReturnUrl)
  cancel_url?: string | null;
  @ApiProperty({
    required: false,
    nullable: true,
    type: String,
    format: 'uuid',
    description: 'Id of the workspace. The default is the oldest active workspace',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string | null;
}

@V1Request()
export class V1PurchasesQuery extends V1ListQuery {
  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Id of a workspace. By default the list contains all workspaces of the organization',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
  @ApiProperty({ required: false, enum: PURCHASE_STATUSES })
  @IsOptional()
  @IsOneOf('status', PURCHASE_STATUSES)
  status?: PurchaseStatus;
}

export class V1Purchase implements PurchaseRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: PURCHASE_STATUSES })
  status: PurchaseStatus;
  @ApiProperty({ format: 'uuid' })
  workspace_id: string;
  @ApiProperty()
  package: string;
  @ApiProperty({ type: 'integer' })
  quantity: number;
  @ApiProperty({ enum: CREDIT_TYPES })
  credit_type: CreditType;
  @ApiProperty({ type: 'integer' })
  credits: number;
  @ApiProperty({ type: 'integer', description: 'Price in minor units of the currency' })
  amount: number;
  @ApiProperty({ example: 'INR' })
  currency: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL of the payment page; `null` unless the purchase is pending',
  })
  checkout_url: string | null;
  @ApiProperty({
    type: 'integer',
    description: 'Amount that refunds and lost disputes returned, in minor units of the currency',
  })
  amount_refunded: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Number of credits that were withdrawn because of refunds and lost disputes, in the workspaces that had them',
  })
  credits_refunded: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of refunded credits that could not be withdrawn, because they were already spent',
  })
  credits_not_recovered: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of credits that an open payment dispute withholds from the balances',
  })
  credits_frozen: number;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  expires_at: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  paid_at: string | null;

  static of(purchase: Purchase): V1Purchase {
    const { id, status, workspaceId, quantity, creditType, credits, amount, currency, createdAt, expiresAt } = purchase;
    return {
      id,
      status,
      workspace_id: workspaceId,
      package: purchase.package,
      quantity,
      credit_type: creditType,
      credits,
      amount,
      currency,
      checkout_url: status === 'pending' ? purchase.checkoutUrl : null,
      amount_refunded: purchase.amountRefunded,
      credits_refunded: purchase.creditsRefunded,
      credits_not_recovered: purchase.creditsNotRecovered,
      credits_frozen: purchase.creditsFrozen,
      created_at: v1Timestamp(createdAt),
      expires_at: v1Timestamp(expiresAt),
      paid_at: v1Timestamp(purchase.paidAt),
    };
  }
}

export class V1Purchases {
  @ApiProperty({ type: [V1Purchase] })
  data: V1Purchase[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}

function isReturnUrl(value: unknown): boolean {
  return isUrlText(value, MAX_URL_LENGTH);
}
