import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { isPageSize, MAX_PAGE_SIZE, rule } from '@heliograph/service-kit';
import { MessageRecord } from './message.dto';

export const DEFAULT_TRANSCRIPT_SIZE = 50;

export class TranscriptQuery {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_TRANSCRIPT_SIZE })
  @IsOptional()
  @rule('isLimit', `limit must be a number from 1 to ${MAX_PAGE_SIZE}.`, isPageSize, 'INVALID_REQUEST')
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

export class Transcript {
  /** Messages sorted by time, oldest first. */
  messages: MessageRecord[];
  /** Cursor of the next page; absent on the last page. */
  nextCursor?: string;
}
