import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { ErrorCode } from '@heliograph/errors';
import type { Request } from 'express';

/** The largest body of a route that declares no other limit. */
export const DEFAULT_MAX_BYTES = 1_000_000;

/** Every value of every field of a form or a query string, in the order in which they were sent. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/**
 * How the body of a route becomes the fields of its DTO. Every function except `bytes` is pure; each may throw `FieldError`. It returns fields that it
 * does not know under the names with which they were sent: see `InputGuard`.
 */
export interface BodyFormats {
  /** Default: 1,000,000 */
  maxBytes?: number;
  /** The number of values in a JSON body. Default: 20,000 */
  maxValues?: number;
  /** Converts a JSON object. Default: the object itself. */
  json?: (body: Record<string, unknown>) => object;
  /** Converts a form. Without it, the route has no form style. */
  form?: (fields: FormFields) => object;
  /**
   * Converts the bytes of a body in another format, such as XML. It replaces `json` and `form`. The media type is in
   * lower case and without parameters. What the response needs of the body, such as its envelope, becomes a property of the request.
   */
  bytes?: (body: Buffer, mediaType: string, request: Request) => object;
  /** The accepted media types. Default: JSON and, with `form`, forms; with `bytes`, all. */
  mediaTypes?: readonly string[];
  /** The accepted charsets; error messages contain `name`. Default: UTF-8 */
  charset?: { pattern: RegExp; name: string };
  /** An empty body counts as `{}` if every field of the DTO is optional. */
  mayBeEmpty?: boolean;
}

/** The formats of the routes of a service that declare none. */
export interface InputDefaults {
  body?: BodyFormats;
  /** Default: each parameter is a field. */
  query?: (fields: FormFields) => object;
  /** Fields that a DTO does not have are ignored in all formats, because the callers may be newer or older than the service. */
  ignoresUnknownFields?: boolean;
  /** The code of a query string with unknown parameters, outside of the v1 API. Default: INVALID_REQUEST */
  defaultCode?: ErrorCode;
}

export const INPUT_DEFAULTS = Symbol('InputDefaults');

export const BODY_FORMATS = 'heliograph:body-formats';
export const QUERY_FORMAT = 'heliograph:query-format';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Declares the formats and the size limit of the body. Without it, a route with `@Body()` accepts the formats of the
 * service definition, or else JSON up to 1 MB.
 */
export function AcceptsBody(formats: BodyFormats): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(BODY_FORMATS, formats),
    ...(formats.form ? [ApiConsumes('application/json', FORM_TYPE) as MethodDecorator] : []),
  );
}

/** The fields of a form or a query string besides the named ones, for the validation. Repeated ones have their first value. */
export function otherFields(fields: FormFields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...fields].flatMap(([name, [value]]) => (names.includes(name) ? [] : [[name, value]])));
}

/** Declares how the query string becomes the fields of the DTO. Default: each parameter is a field. */
export const AcceptsQuery = (convert: (fields: FormFields) => object): MethodDecorator =>
  SetMetadata(QUERY_FORMAT, convert);
