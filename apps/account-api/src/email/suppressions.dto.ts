import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SUPPRESSION_REASONS, type EmailSuppression, type SuppressionReason } from '@heliograph/email-catalog';
import { ForeignPageQuery } from '../http/query';
import { IsFilledText, IsOneOf, MayBeAbsent } from '../http/rules';

const MAX_ADDRESS_LENGTH = 254;
/** A complaint never goes away again, so only the complaint itself makes one. */
const GIVEN_REASONS = ['manual', 'bounced', 'unsubscribed'] as const satisfies SuppressionReason[];

export class EmailSuppressionRecord {
  @ApiProperty({ example: 'ann@example.com' })
  address: string;
  @ApiProperty({ enum: SUPPRESSION_REASONS })
  reason: SuppressionReason;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The send that led to it' })
  messageId: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ address, reason, messageId, createdAt }: EmailSuppression): EmailSuppressionRecord {
    return { address, reason, messageId, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSuppression {
  @ApiProperty()
  suppression: EmailSuppressionRecord;
}

export class EmailSuppressionPage {
  @ApiProperty({ type: [EmailSuppressionRecord] })
  suppressions: EmailSuppressionRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class EmailSuppressionQuery extends ForeignPageQuery {
  @ApiPropertyOptional({ example: 'ann@example.com', description: 'In whatever case' })
  @MayBeAbsent()
  @IsFilledText(MAX_ADDRESS_LENGTH)
  address?: string;
  @ApiPropertyOptional({ enum: SUPPRESSION_REASONS })
  @MayBeAbsent()
  @IsOneOf(SUPPRESSION_REASONS)
  reason?: SuppressionReason;
}

export class CreateEmailSuppressionRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsFilledText(MAX_ADDRESS_LENGTH)
  address: string;
  @ApiPropertyOptional({ enum: GIVEN_REASONS, default: 'manual', description: 'As another provider knows it' })
  @MayBeAbsent()
  @IsOneOf(GIVEN_REASONS)
  reason: (typeof GIVEN_REASONS)[number] = 'manual';
}
