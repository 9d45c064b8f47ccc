import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { CREDIT_TYPES, type CreditType } from '@heliograph/contracts';
import {
  LEDGER_KINDS,
  MAX_AMOUNT,
  type Balance,
  type LedgerEntryRow,
  type LedgerFilter,
  type LedgerKind,
} from '@heliograph/credits';
import { given } from '@heliograph/database';
import { One, ListOf } from '../http/answers';
import { PageQuery } from '../http/page.query';
import { toDate } from '../http/timestamps';
import {
  IsText,
  IsNonBlankText,
  Optional,
  Nullable,
  IsInteger,
  IsTimestamp,
  IsCreditType,
  IsOneOf,
} from '../http/rules';

export class BalanceRecord {
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ type: 'integer' })
  balance: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Emits `credits.low` when the balance drops below this value. `null` disables the alert.',
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

export class OneBalance extends One('balance', BalanceRecord) {}

export class EntryRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  creditType: CreditType;
  @ApiProperty({ enum: LEDGER_KINDS })
  kind: LedgerKind;
  @ApiProperty({ type: 'integer', description: 'Amount of the entry. It is negative for debits' })
  amount: number;
  @ApiProperty({ type: 'integer' })
  balanceAfter: number;
  @ApiProperty({ description: 'Reference of the entry, such as `sms:<message id>`' })
  reference: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, creditType, kind, amount, balanceAfter, reference, createdAt }: LedgerEntryRow): EntryRecord {
    return { id, creditType, kind, amount, balanceAfter, reference, createdAt: createdAt.toISOString() };
  }
}

export class EntryList extends ListOf('entries', EntryRecord) {}

/** Filters of ledger entries. */
export class ExportQuery {
  @ApiPropertyOptional({ enum: CREDIT_TYPES })
  @Optional()
  @IsCreditType()
  creditType?: CreditType;
  @ApiPropertyOptional({ enum: LEDGER_KINDS })
  @Optional()
  @IsOneOf(LEDGER_KINDS)
  kind?: LedgerKind;
  @ApiPropertyOptional({ format: 'date-time', description: 'Returns entries at or after this time' })
  @Optional()
  @IsTimestamp()
  from?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Returns entries before this time' })
  @Optional()
  @IsTimestamp()
  to?: string;
  @ApiPropertyOptional({ example: 'sms:0198f5d4-…' })
  @Optional()
  @IsText(300)
  reference?: string;
}

export class LedgerQuery extends IntersectionType(PageQuery, ExportQuery) {}

export function filterOf({ creditType, kind, from, to, reference }: ExportQuery): LedgerFilter {
  return given({ creditType, kind, from: toDate(from), to: toDate(to), reference });
}

export class TransferRequest {
  @ApiProperty({ format: 'uuid', description: 'Another workspace of the organization' })
  @IsNonBlankText(100)
  toWorkspaceId: string;
  @ApiProperty({ enum: CREDIT_TYPES })
  @IsCreditType()
  creditType: CreditType;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AMOUNT })
  @IsInteger(1, MAX_AMOUNT)
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
  @ApiProperty({ type: 'integer', description: 'Balance of the paying workspace after the transfer' })
  fromBalance: number;
  @ApiProperty({ type: 'integer', description: 'Balance of the receiving workspace after the transfer' })
  toBalance: number;
}

export class OneTransfer {
  @ApiProperty()
  transfer: TransferRecord;
}

export class ThresholdRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_AMOUNT,
    nullable: true,
    description: 'New threshold; `null` removes the threshold',
  })
  @Nullable()
  @IsInteger(1, MAX_AMOUNT)
  lowThreshold: number | null;
}
