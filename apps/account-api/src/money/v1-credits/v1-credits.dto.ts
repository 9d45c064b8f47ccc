import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { Purchase } from '@heliograph/billing';
import { PURCHASE_STATUSES } from '@heliograph/billing';
import { CREDIT_TYPES, purchaseRecord, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { LEDGER_KINDS, type LedgerEntryRow, type LedgerKind } from '@heliograph/credits';
import {
  isStorableText,
  isUrlText,
  IsInstant,
  IsOneOf,
  RecordDto,
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
  /** Id of the workspace. The default is the oldest active workspace. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

export class V1Balance {
  workspace_id: Uuid;
  sms: Integer;
  email: Integer;
  /** Balance in minor units of `chatapp_currency`. */
  chatapp: Integer;
  /** ISO 4217 code of the currency; `null` while no prices are set. */
  chatapp_currency: string | null;
}

@V1Request()
export class V1TransactionsQuery extends V1ListQuery {
  /** Id of a workspace. By default the list contains all workspaces of the organization. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
  @IsOptional()
  @IsOneOf('credit_type', CREDIT_TYPES)
  credit_type?: (typeof CREDIT_TYPES)[number];
  @IsOptional()
  @IsOneOf('kind', LEDGER_KINDS)
  kind?: (typeof LEDGER_KINDS)[number];
  /** Returns entries at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;
  /** Returns entries before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;
  /** Returns entries with exactly this reference. */
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
  id: Uuid;
  workspace_id: Uuid;
  credit_type: (typeof CREDIT_TYPES)[number];
  kind: (typeof LEDGER_KINDS)[number];
  /** Amount of the entry. It is negative for a charge. */
  amount: Integer;
  balance_after: Integer;
  reference: string;
  description: string;
  created_at: Timestamp;

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
  data: V1Transaction[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

@V1Request()
export class V1TransferRequest {
  @IsWorkspaceId('from_workspace_id')
  from_workspace_id: Uuid;
  @IsWorkspaceId('to_workspace_id')
  to_workspace_id: Uuid;
  @IsV1CreditType()
  credit_type: (typeof CREDIT_TYPES)[number];
  @ApiProperty({ minimum: 1, maximum: MAX_AMOUNT })
  @IsCount('amount', MAX_AMOUNT)
  amount: Integer;
}

export class V1Transfer {
  id: Uuid;
  from_workspace_id: Uuid;
  to_workspace_id: Uuid;
  credit_type: (typeof CREDIT_TYPES)[number];
  amount: Integer;
  /** Balance of the paying workspace after the transfer. */
  from_balance: Integer;
  /** Balance of the receiving workspace after the transfer. */
  to_balance: Integer;
}

@V1Request()
export class V1PurchaseRequest {
  @IsV1CreditType()
  credit_type: (typeof CREDIT_TYPES)[number];
  /**
   * Key of a package of the credit type.
   * @example sms-1000
   */
  @rule('isPackage', 'package must be the key of a package.', (value) => isStorableText(value, 100) && value !== '')
  package: string;
  /** @default 1 */
  @ApiProperty({ minimum: 1, maximum: MAX_QUANTITY })
  @IsOptional()
  @IsCount('quantity', MAX_QUANTITY)
  quantity?: Integer | null;
  /** https, or an own origin. Default: a page of this system that confirms the purchase. */
  @IsOptional()
  @rule('isUrl', 'success_url must be an https URL without control and invisible characters.', isReturnUrl)
  success_url?: string | null;
  /** https, or an own origin. Default: a page of this system that says that nothing was charged. */
  @IsOptional()
  @rule('isUrl', 'cancel_url must be an https URL without control and invisible characters.', isReturnUrl)
  cancel_url?: string | null;
  /** Id of the workspace. The default is the oldest active workspace. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid | null;
}

@V1Request()
export class V1PurchasesQuery extends V1ListQuery {
  /** Id of a workspace. By default the list contains all workspaces of the organization. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
  @IsOptional()
  @IsOneOf('status', PURCHASE_STATUSES)
  status?: (typeof PURCHASE_STATUSES)[number];
}

export class V1Purchase extends RecordDto(purchaseRecord) {
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
  data: V1Purchase[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

function isReturnUrl(value: unknown): boolean {
  return isUrlText(value, MAX_URL_LENGTH);
}
