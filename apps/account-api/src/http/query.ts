import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiPropertyOptional, ApiQuery } from '@nestjs/swagger';
import { isId, type Page } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Request } from 'express';
import { ApiErrors } from './envelope';
import { Optional, createRule } from './rules';
import { validateRequest } from './validation';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const ReadQuery = createParamDecorator((type: new () => object, context: ExecutionContext): object =>
  validateRequest(type, readQuery(context.switchToHttp().getRequest<Request>())),
);

/**
 * The query string, validated against its class; all values are strings. Documents the parameters and their errors.
 * Throws INVALID_REQUEST, VALIDATION_ERROR.
 */
export const ValidatedQuery =
  (type: new () => object): ParameterDecorator =>
  (controller, method, index) => {
    ReadQuery(type)(controller, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(controller, method);
    if (method === undefined || !descriptor) throw new Error('the query decorator requires a controller method');
    applyDecorators(ApiQuery({ type }), ApiErrors('INVALID_REQUEST', 'VALIDATION_ERROR'))(
      controller,
      method,
      descriptor,
    );
  };

function readQuery({ originalUrl }: Request): Record<string, string> {
  const start = originalUrl.indexOf('?');
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))) {
    if (name in fields) throw new AppError('INVALID_REQUEST', `${name.slice(0, 100)}: must not be repeated.`);
    fields[name] = value;
  }
  return fields;
}

const IsLimit = () =>
  createRule(
    'isLimit',
    `must be an integer from 1 to ${MAX_LIMIT}`,
    (value) => typeof value === 'string' && /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT,
  );
const NOT_A_CURSOR = 'must be the nextCursor of an earlier response';
const IsCursor = () => createRule('isCursor', NOT_A_CURSOR, (value) => isId(readCursor(value)));
const IsAnyCursor = () => createRule('isAnyCursor', NOT_A_CURSOR, (value) => readCursor(value) !== null);
const IsLimitText = () => applyDecorators(Optional(), IsLimit());

/** Parameters of every list. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsLimitText()
  limit?: string;

  @ApiPropertyOptional({ description: 'The nextCursor of the previous page' })
  @Optional()
  @IsCursor()
  cursor?: string;
}

/** Parameters of lists whose ids are not UUIDs. */
export class ForeignPageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsLimitText()
  limit?: string;

  @ApiPropertyOptional({ description: 'The nextCursor of the previous page' })
  @Optional()
  @IsAnyCursor()
  cursor?: string;
}

export function pageOf({ limit, cursor }: PageQuery): Page {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), after: readCursor(cursor) };
}

/** Cursors are opaque to clients. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function readCursor(cursor: unknown): string | null {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > 400) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  return writeCursor(id) === cursor && !id.includes('\0') ? id : null;
}

/** The cursor of the next page; absent on the last page. */
export function nextCursor(next: string | null): { nextCursor?: string } {
  return next === null ? {} : { nextCursor: writeCursor(next) };
}
