import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATEGORIES, MAX_MONTHLY_LIMIT, type ChatappAllowance } from '@heliograph/chatapp-catalog';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { PageQuery } from '../../../http/page.query';
import { Optional, OptionalNullable, IsInteger, IsTrueOrFalse, IsTimestamp, IsOneOf } from '../../../http/rules';

const freeOf = { description: 'True if messages inside an open conversation window are free' };
const limitOf = {
  ...({ type: 'integer', nullable: true, minimum: 0, maximum: MAX_MONTHLY_LIMIT } as const),
  description: 'Free messages per workspace and calendar month (UTC); `null` means unlimited',
};

export class ChatappAllowanceRecord {
  id: Uuid;
  category: (typeof CATEGORIES)[number];
  @ApiProperty(freeOf)
  isFree: boolean;
  @ApiProperty(limitOf)
  monthlyLimit: number | null;
  /** Start of the validity. It ends when the next allowance of the category starts. */
  validFrom: Timestamp;
  createdAt: Timestamp;

  static of({ id, category, isFree, monthlyLimit, validFrom, createdAt }: ChatappAllowance): ChatappAllowanceRecord {
    return {
      id,
      category,
      isFree,
      monthlyLimit,
      validFrom: validFrom.toISOString(),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class OneChatappAllowance extends One('allowance', ChatappAllowanceRecord) {}

export class ChatappAllowancePage extends ListOf('allowances', ChatappAllowanceRecord) {}

export class ChatappAllowanceQuery extends PageQuery {
  @Optional()
  @IsOneOf(CATEGORIES)
  category?: (typeof CATEGORIES)[number];
}

export class CreateChatappAllowanceRequest {
  @IsOneOf(CATEGORIES)
  category: (typeof CATEGORIES)[number];
  @ApiProperty(freeOf)
  @IsTrueOrFalse()
  isFree: boolean;
  @ApiPropertyOptional({ ...limitOf, default: null })
  @OptionalNullable()
  @IsInteger(0, MAX_MONTHLY_LIMIT)
  monthlyLimit: number | null = null;
  /** Start of the validity; must not be in the past. If it is omitted, a new allowance is valid immediately. */
  @Optional()
  @IsTimestamp()
  validFrom?: Timestamp;
}

export class ChangeChatappAllowanceRequest extends ChangesOf(CreateChatappAllowanceRequest, [
  'isFree',
  'monthlyLimit',
  'validFrom',
]) {}
