import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { isId } from '@heliograph/database';
import { DEFAULT_PAGE_SIZE, isPageSize, MAX_PAGE_SIZE, readCursor, rule, writeCursor } from '@heliograph/service-kit';
import { Optional } from './rules';

const IsLimit = () => rule('isLimit', `must be an integer from 1 to ${MAX_PAGE_SIZE}`, isPageSize);
const isCursor = (isValid: (id: string | null) => boolean) =>
  rule('isCursor', 'must be the nextCursor of the previous page', (value) => isValid(readCursor(value)));

/** Parameters of every list. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })
  @Optional()
  @IsLimit()
  limit?: string;

  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page' })
  @Optional()
  @isCursor(isId)
  cursor?: string;
}

/** Parameters of lists whose ids are not UUIDs. */
export class ForeignPageQuery extends OmitType(PageQuery, ['cursor']) {
  @ApiPropertyOptional({ description: 'The `nextCursor` of the previous page' })
  @Optional()
  @isCursor((id) => id !== null)
  cursor?: string;
}

/** Returns the cursor of the next page; absent on the last page. */
export function nextCursor(next: string | null): { nextCursor?: string } {
  return next === null ? {} : { nextCursor: writeCursor(next) };
}
