import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiPropertyOptional, ApiQuery } from '@nestjs/swagger';
import { isId, type Page } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Request } from 'express';
import { RefusesWith } from './envelope';
import { MayBeAbsent, rule } from './rules';
import { toValid } from './validation';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const ReadQuery = createParamDecorator((type: new () => object, context: ExecutionContext): object =>
  toValid(type, readQuery(context.switchToHttp().getRequest<Request>())),
);

/**
 * The query string, checked against its class: every field is text. Throws INVALID_REQUEST, VALIDATION_ERROR. Describes
 * both, and the fields.
 */
export const QueryOf =
  (type: new () => object): ParameterDecorator =>
  (controller, method, index) => {
    ReadQuery(type)(controller, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(controller, method);
    if (method === undefined || !descriptor) throw new Error('a query is read by a method of a controller');
    applyDecorators(ApiQuery({ type }), RefusesWith('INVALID_REQUEST', 'VALIDATION_ERROR'))(
      controller,
      method,
      descriptor,
    );
  };

function readQuery({ originalUrl }: Request): Record<string, string> {
  const start = originalUrl.indexOf('?');
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))) {
    if (name in fields) throw new AppError('INVALID_REQUEST', `${name.slice(0, 100)} was sent more than once.`);
    fields[name] = value;
  }
  return fields;
}

const IsLimit = () =>
  rule(
    'isLimit',
    `must be a whole number from 1 to ${MAX_LIMIT}`,
    (value) => typeof value === 'string' && /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_LIMIT,
  );
const NOT_A_CURSOR = 'must be the nextCursor of an earlier answer';
const IsCursor = () => rule('isCursor', NOT_A_CURSOR, (value) => isId(readCursor(value)));
const IsAnyCursor = () => rule('isAnyCursor', NOT_A_CURSOR, (value) => readCursor(value) !== null);
const IsLimitText = () => applyDecorators(MayBeAbsent(), IsLimit());

/** What every list takes. */
export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsLimitText()
  limit?: string;

  @ApiPropertyOptional({ description: 'The nextCursor of the page before' })
  @MayBeAbsent()
  @IsCursor()
  cursor?: string;
}

/** Of a list whose entries have ids that others gave them. */
export class ForeignPageQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @IsLimitText()
  limit?: string;

  @ApiPropertyOptional({ description: 'The nextCursor of the page before' })
  @MayBeAbsent()
  @IsAnyCursor()
  cursor?: string;
}

export function pageOf({ limit, cursor }: PageQuery): Page {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), after: readCursor(cursor) };
}

/** Opaque to callers: what is in it is our business. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function readCursor(cursor: unknown): string | null {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > 400) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  return writeCursor(id) === cursor && !id.includes('\0') ? id : null;
}

/** What a list says beside its entries: a cursor while there are more. */
export function nextCursor(next: string | null): { nextCursor?: string } {
  return next === null ? {} : { nextCursor: writeCursor(next) };
}
