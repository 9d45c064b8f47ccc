import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isId, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { DEFAULT_PAGE_SIZE, isPageSize, MAX_PAGE_SIZE, readCursor, writeCursor } from '../http/pagination';
import { rule } from '../http/rules';
import { parseScheduledAt } from '../parse-scheduled-at';

/** A list of the v1 API. */
export interface V1List<T> {
  data: T[];
  /** Absent on the last page. */
  next_cursor?: string;
}

/** The parameters of every list of the v1 API. */
export class V1ListQuery {
  @ApiProperty({ required: false, type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })
  @IsOptional()
  @rule('isLimit', `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}.`, isPageSize)
  limit?: string;

  @ApiProperty({ required: false, description: 'The next_cursor of the previous page' })
  @IsOptional()
  @rule('isCursor', 'cursor must be the next_cursor of the previous page.', (value) => isId(readCursor(value)))
  cursor?: string;
}

/** A timestamp in a query string. */
export const IsInstant = (field: string): PropertyDecorator =>
  rule(
    'isInstant',
    `${field} must be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z.`,
    (value) => typeof value === 'string' && parseScheduledAt(value) !== null,
  );

/** One of several words in a query string. */
export const IsOneOf = (field: string, words: readonly string[]): PropertyDecorator =>
  rule('isOneOf', `${field} must be one of: ${words.join(', ')}.`, (value) => words.includes(value as string));

/** The id of a workspace. One of the wrong form is not found, like one that does not exist. */
export const IsWorkspaceId = (field = 'workspace_id'): PropertyDecorator =>
  rule('isWorkspaceId', `${field} must be the id of a workspace.`, (value) => typeof value === 'string');

export function v1List<T, R>({ items, next }: PageOf<T>, toRecord: (item: T) => R): V1List<R> {
  return {
    data: items.map(toRecord),
    ...(next === null ? {} : { next_cursor: writeCursor(next) }),
  };
}

/** A timestamp in a response: RFC 3339 in UTC with milliseconds. Null is returned unchanged. */
export function v1Timestamp(date: Date): string;
export function v1Timestamp(date: Date | null): string | null;
export function v1Timestamp(date: Date | null): string | null {
  return date && date.toISOString();
}

/** 404 of a v1 resource; the same for an unknown id and the id of another organization. */
export function v1NotFound(what: string): AppError {
  return new AppError('NOT_FOUND', `There is no ${what} with this id.`);
}
