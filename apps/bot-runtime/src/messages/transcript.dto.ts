import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { rule, singleField, type FormFields } from '@heliograph/service-kit';
import { MessageRecord } from './message.dto';

const MAX_LIMIT = 100;

export class TranscriptQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 50 })
  @rule('isLimit', `limit must be a number from 1 to ${MAX_LIMIT}.`, isLimit, 'INVALID_REQUEST')
  limit: number = 50;

  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page' })
  @IsOptional()
  @IsString()
  cursor?: string;
}

export class Transcript {
  @ApiProperty({ type: [MessageRecord], description: 'Messages sorted by time, oldest first' })
  messages: MessageRecord[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last page' })
  nextCursor?: string;
}

/** A limit that is not a number is converted to NaN, which the validation rejects. */
export function normalizeTranscriptQuery(fields: FormFields): object {
  const limit = singleField('limit', fields.get('limit'));
  const cursor = singleField('cursor', fields.get('cursor'));
  return { limit: limit === undefined ? undefined : /^\d{1,3}$/.test(limit) ? Number(limit) : NaN, cursor };
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= MAX_LIMIT;
}
