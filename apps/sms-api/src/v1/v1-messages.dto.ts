import { smsRecord, type Timestamp, type Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isId } from '@heliograph/database';
import { parseRecipient } from '@heliograph/addresses';
import {
  IsInstant,
  IsOneOf,
  isStorableText,
  rule,
  V1ListQuery,
  V1Request,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import { V1SmsMessage } from './v1-send.dto';

const IsEntryId = (field: string): PropertyDecorator => rule('isEntryId', `${field} must be a UUID.`, isId);

/** The filters of GET /api/v1/sms/messages. */
@V1Request()
export class V1MessagesQuery extends V1ListQuery {
  @ApiProperty({ enum: smsRecord.shape.status.options })
  @IsOptional()
  @IsOneOf('status', smsRecord.shape.status.options)
  status?: string;

  /** Returns messages to this phone number in E.164 format. */
  @IsOptional()
  @rule(
    'isNumber',
    'to must be a phone number in E.164 format, such as +919876543210.',
    (value) => typeof value === 'string' && parseRecipient(value) !== null,
  )
  to?: string;

  @IsOptional()
  @IsEntryId('sender_id')
  sender_id?: Uuid;

  @IsOptional()
  @IsEntryId('campaign_id')
  campaign_id?: Uuid;

  @IsOptional()
  @rule('isReference', 'reference must be text of at most 255 characters.', (value) => isStorableText(value, 255))
  reference?: string;

  /** Returns messages created at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;

  /** Returns messages created before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;

  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

export class V1SmsMessages {
  data: V1SmsMessage[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}
