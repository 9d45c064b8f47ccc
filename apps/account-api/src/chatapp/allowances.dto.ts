import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATEGORIES, MAX_MONTHLY_LIMIT, type Category, type ChatappAllowance } from '@heliograph/chatapp-catalog';
import { PageQuery } from '../http/query';
import { IsFlag, IsMoment, IsOneOf, IsWhole, MayBeAbsent, MayBeEmpty } from '../http/rules';

const freeOf = { description: 'Whether messages inside an open window are free' };
const limitOf = {
  ...({ type: 'integer', nullable: true, minimum: 0, maximum: MAX_MONTHLY_LIMIT } as const),
  description: 'Free messages of a workspace in a calendar month (UTC); null: any number',
};

export class ChatappAllowanceRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty(freeOf)
  isFree: boolean;
  @ApiProperty(limitOf)
  monthlyLimit: number | null;
  @ApiProperty({ format: 'date-time', description: 'Holds from then on, until the next one of the category' })
  validFrom: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, category, isFree, monthlyLimit, validFrom, createdAt }: ChatappAllowance): ChatappAllowanceRecord {
    return {
      ...{ id, category, isFree, monthlyLimit },
      validFrom: validFrom.toISOString(),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class OneChatappAllowance {
  @ApiProperty()
  allowance: ChatappAllowanceRecord;
}

export class ChatappAllowancePage {
  @ApiProperty({ type: [ChatappAllowanceRecord] })
  allowances: ChatappAllowanceRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class ChatappAllowanceQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CATEGORIES })
  @MayBeAbsent()
  @IsOneOf(CATEGORIES)
  category?: Category;
}

export class CreateChatappAllowanceRequest {
  @ApiProperty({ enum: CATEGORIES })
  @IsOneOf(CATEGORIES)
  category: Category;
  @ApiProperty(freeOf)
  @IsFlag()
  isFree: boolean;
  @ApiPropertyOptional({ ...limitOf, default: null })
  @MayBeEmpty()
  @IsWhole(0, MAX_MONTHLY_LIMIT)
  monthlyLimit: number | null = null;
  @ApiPropertyOptional({ format: 'date-time', description: 'Not in the past. Left out: now' })
  @MayBeAbsent()
  @IsMoment()
  validFrom?: string;
}

export class ChangeChatappAllowanceRequest {
  @ApiPropertyOptional(freeOf)
  @MayBeAbsent()
  @IsFlag()
  isFree?: boolean;
  @ApiPropertyOptional(limitOf)
  @MayBeEmpty()
  @IsWhole(0, MAX_MONTHLY_LIMIT)
  monthlyLimit?: number | null;
  @ApiPropertyOptional({ format: 'date-time', description: 'Not in the past' })
  @MayBeAbsent()
  @IsMoment()
  validFrom?: string;
}
