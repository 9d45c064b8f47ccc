import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isId } from '@heliograph/database';
import { readEmailAddress } from '@heliograph/addresses';
import {
  IsInstant,
  IsOneOf,
  isStorableText,
  rule,
  V1ListQuery,
  V1Request,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import { V1_EMAIL_STATUSES } from '@heliograph/email-catalog';

/** The filters of GET /api/v1/email/messages. */
@V1Request()
export class V1MessagesQuery extends V1ListQuery {
  @ApiProperty({ enum: V1_EMAIL_STATUSES })
  @IsOptional()
  @IsOneOf('status', V1_EMAIL_STATUSES)
  status?: string;

  /** Returns emails to this address, in `to`, `cc` or `bcc`. */
  @IsOptional()
  @rule(
    'isAddress',
    'to must be an email address, such as ann@example.com.',
    (value) => typeof value === 'string' && readEmailAddress(value) !== null,
  )
  to?: string;

  @IsOptional()
  @rule('isTag', 'tag must be text of at most 50 characters.', (value) => isStorableText(value, 50))
  tag?: string;

  /** Emails from the address of this sender. */
  @IsOptional()
  @rule('isSender', 'sender_id must be a UUID.', isId)
  sender_id?: Uuid;

  @IsOptional()
  @rule('isCampaign', 'campaign_id must be a UUID.', isId)
  campaign_id?: Uuid;

  @IsOptional()
  @rule('isReference', 'reference must be text of at most 255 characters.', (value) => isStorableText(value, 255))
  reference?: string;

  /** Returns emails created at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;

  /** Returns emails created before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;

  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}
