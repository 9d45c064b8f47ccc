import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { isId, type Page } from '@heliograph/database';
import { rule } from '@heliograph/service-kit';
import { Optional } from './rules';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const IsLimit = () =>
  rule(
    'isLimit',
    `must be an integer from 1 to ${MAX_LIMIT}`,
    (value) => typeof value === 'string' && /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT,
  );
const isCursor = (isValid: (id: string | null) => boolean) =>
  rule('isCursor', 'must be the nextCursor of the previous page', (value) => isValid(readCursor(value)));

/** Parameters of every list. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
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

export function pageOf({ limit, cursor }: PageQuery): Page {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), after: readCursor(cursor) };
}

/** Cursors are opaque to clients. */
function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function readCursor(cursor: unknown): string | null {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > 400) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  return writeCursor(id) === cursor && !id.includes('\0') ? id : null;
}

/** Returns the cursor of the next page; absent on the last page. */
export function nextCursor(next: string | null): { nextCursor?: string } {
  return next === null ? {} : { nextCursor: writeCursor(next) };
}
