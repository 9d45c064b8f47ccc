import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SUPPRESSION_REASONS, type EmailSuppression, type SuppressionReason } from '@heliograph/email-catalog';
import { One, ListOf } from '../http/answers';
import { ForeignPageQuery } from '../http/page.query';
import { IsNonBlankText, Optional, IsOneOf } from '../http/rules';

const MAX_ADDRESS_LENGTH = 254;
/** A suppression after a complaint is permanent, so it can only be caused by a complaint itself. */
const GIVEN_REASONS = ['manual', 'bounced', 'unsubscribed'] as const satisfies SuppressionReason[];

export class EmailSuppressionRecord {
  @ApiProperty({ example: 'ann@example.com' })
  address: string;
  @ApiProperty({ enum: SUPPRESSION_REASONS })
  reason: SuppressionReason;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Id of the send that caused the suppression',
  })
  messageId: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ address, reason, messageId, createdAt }: EmailSuppression): EmailSuppressionRecord {
    return { address, reason, messageId, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSuppression extends One('suppression', EmailSuppressionRecord) {}

export class EmailSuppressionPage extends ListOf('suppressions', EmailSuppressionRecord) {}

export class EmailSuppressionQuery extends ForeignPageQuery {
  @ApiPropertyOptional({ example: 'ann@example.com', description: 'Case-insensitive' })
  @Optional()
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address?: string;
  @ApiPropertyOptional({ enum: SUPPRESSION_REASONS })
  @Optional()
  @IsOneOf(SUPPRESSION_REASONS)
  reason?: SuppressionReason;
}

export class CreateEmailSuppressionRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address: string;
  @ApiPropertyOptional({
    enum: GIVEN_REASONS,
    default: 'manual',
    description: 'Reason for the suppression, for example from another provider',
  })
  @Optional()
  @IsOneOf(GIVEN_REASONS)
  reason: (typeof GIVEN_REASONS)[number] = 'manual';
}
