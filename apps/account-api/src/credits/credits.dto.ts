import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';
import { MAX_AMOUNT, type Balance, type LedgerEntryRow, type LedgerFilter, type LedgerKind } from '@heliograph/credits';
import { IsCreditType, IsFilledText, IsMoment, IsOneOf, IsText, IsWhole, MayBeAbsent, MayBeNull } from '../http/rules';
import { PageQuery } from '../http/query';

const KINDS = ['charge', 'refund', 'topup', 'transfer', 'adjustment'] as const satisfies LedgerKind[];

export class BalanceRecord {
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ type: 'integer' })
  balance: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Falling below it puts credits.low on the bus; null: nothing does',
  })
  lowThreshold: number | null;

  static of({ creditType, balance, lowThreshold }: Balance): BalanceRecord {
    return { creditType, balance, lowThreshold };
  }
}

export class Balances {
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ type: [BalanceRecord] })
  balances: BalanceRecord[];
}

export class OneBalance {
  @ApiProperty()
  balance: BalanceRecord;
}

export class EntryRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ enum: KINDS })
  kind: LedgerKind;
  @ApiProperty({ type: 'integer', description: 'Negative when credits left' })
  amount: number;
  @ApiProperty({ type: 'integer' })
  balanceAfter: number;
  @ApiProperty({ description: 'What it was for, such as sms:<message id>' })
  reference: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, creditType, kind, amount, balanceAfter, reference, createdAt }: LedgerEntryRow): EntryRecord {
    return { id, creditType, kind, amount, balanceAfter, reference, createdAt: createdAt.toISOString() };
  }
}

export class EntryList {
  @ApiProperty({ type: [EntryRecord] })
  entries: EntryRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

/** Which entries are meant. */
export class ExportQuery {
  @ApiPropertyOptional({ enum: CREDIT_TYPES })
  @MayBeAbsent()
  @IsCreditType()
  creditType?: CreditType;
  @ApiPropertyOptional({ enum: KINDS })
  @MayBeAbsent()
  @IsOneOf(KINDS)
  kind?: LedgerKind;
  @ApiPropertyOptional({ format: 'date-time', description: 'Entries of then and later' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Entries before then' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
  @ApiPropertyOptional({ example: 'sms:0198f5d4-…' })
  @MayBeAbsent()
  @IsText(300)
  reference?: string;
}

export class LedgerQuery extends IntersectionType(PageQuery, ExportQuery) {}

export function filterOf({ creditType, kind, from, to, reference }: ExportQuery): LedgerFilter {
  return {
    ...(creditType === undefined ? {} : { creditType }),
    ...(kind === undefined ? {} : { kind }),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
    ...(reference === undefined ? {} : { reference }),
  };
}

export class TransferRequest {
  @ApiProperty({ format: 'uuid', description: 'Another workspace of the organization' })
  @IsFilledText(100)
  toWorkspaceId: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsCreditType()
  creditType: CreditType;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT })
  @IsWhole(1, MAX_AMOUNT)
  amount: number;
}

export class TransferRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  fromWorkspaceId: string;
  @ApiProperty({ format: 'uuid' })
  toWorkspaceId: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ type: 'integer' })
  amount: number;
  @ApiProperty({ type: 'integer', description: 'Of the workspace that paid, afterwards' })
  fromBalance: number;
  @ApiProperty({ type: 'integer', description: 'Of the workspace that received, afterwards' })
  toBalance: number;
}

export class OneTransfer {
  @ApiProperty()
  transfer: TransferRecord;
}

export class ThresholdRequest {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT, nullable: true, description: 'Null: none' })
  @MayBeNull()
  @IsWhole(1, MAX_AMOUNT)
  lowThreshold: number | null;
}
