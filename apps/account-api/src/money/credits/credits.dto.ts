import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { CREDIT_TYPES, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { LEDGER_KINDS, MAX_AMOUNT, type Balance, type LedgerEntryRow, type LedgerFilter } from '@heliograph/credits';
import { given } from '@heliograph/database';
import { One, ListOf } from '../../http/answers';
import { PageQuery } from '../../http/page.query';
import { toDate } from '../../http/timestamps';
import {
  IsText,
  IsNonBlankText,
  Optional,
  Nullable,
  IsInteger,
  IsTimestamp,
  IsCreditType,
  IsOneOf,
} from '../../http/rules';

export class BalanceRecord {
  creditType: (typeof CREDIT_TYPES)[number];
  balance: Integer;
  /** Emits `credits.low` when the balance drops below this value. `null` disables the alert. */
  lowThreshold: Integer | null;

  static of({ creditType, balance, lowThreshold }: Balance): BalanceRecord {
    return { creditType, balance, lowThreshold };
  }
}

export class Balances {
  workspaceId: Uuid;
  balances: BalanceRecord[];
}

export class OneBalance extends One('balance', BalanceRecord) {}

export class EntryRecord {
  id: Uuid;
  creditType: (typeof CREDIT_TYPES)[number];
  kind: (typeof LEDGER_KINDS)[number];
  /** Amount of the entry. It is negative for debits. */
  amount: Integer;
  balanceAfter: Integer;
  /** Reference of the entry, such as `sms:<message id>`. */
  reference: string;
  createdAt: Timestamp;

  static of({ id, creditType, kind, amount, balanceAfter, reference, createdAt }: LedgerEntryRow): EntryRecord {
    return { id, creditType, kind, amount, balanceAfter, reference, createdAt: createdAt.toISOString() };
  }
}

export class EntryList extends ListOf('entries', EntryRecord) {}

/** Filters of ledger entries. */
export class ExportQuery {
  @Optional()
  @IsCreditType()
  creditType?: (typeof CREDIT_TYPES)[number];
  @Optional()
  @IsOneOf(LEDGER_KINDS)
  kind?: (typeof LEDGER_KINDS)[number];
  /** Returns entries at or after this time. */
  @Optional()
  @IsTimestamp()
  from?: Timestamp;
  /** Returns entries before this time. */
  @Optional()
  @IsTimestamp()
  to?: Timestamp;
  /** @example sms:0198f5d4-… */
  @Optional()
  @IsText(300)
  reference?: string;
}

export class LedgerQuery extends IntersectionType(PageQuery, ExportQuery) {}

export function filterOf({ creditType, kind, from, to, reference }: ExportQuery): LedgerFilter {
  return given({ creditType, kind, from: toDate(from), to: toDate(to), reference });
}

export class TransferRequest {
  /** Another workspace of the organization. */
  @IsNonBlankText(100)
  toWorkspaceId: Uuid;
  @IsCreditType()
  creditType: (typeof CREDIT_TYPES)[number];
  @ApiProperty({ minimum: 1, maximum: MAX_AMOUNT })
  @IsInteger(1, MAX_AMOUNT)
  amount: Integer;
}

export class TransferRecord {
  id: Uuid;
  fromWorkspaceId: Uuid;
  toWorkspaceId: Uuid;
  creditType: (typeof CREDIT_TYPES)[number];
  amount: Integer;
  /** Balance of the paying workspace after the transfer. */
  fromBalance: Integer;
  /** Balance of the receiving workspace after the transfer. */
  toBalance: Integer;
}

export class OneTransfer {
  transfer: TransferRecord;
}

export class ThresholdRequest {
  /** New threshold; `null` removes the threshold. */
  @ApiProperty({ minimum: 1, maximum: MAX_AMOUNT })
  @Nullable()
  @IsInteger(1, MAX_AMOUNT)
  lowThreshold: Integer | null;
}
