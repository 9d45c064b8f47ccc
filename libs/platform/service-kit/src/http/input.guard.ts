import { CanActivate, ExecutionContext, Inject, Injectable, type Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import { AppError } from '@heliograph/errors';
import { FieldError } from '../field-error';
import { FieldDirectory } from '../fields/field-directory';
import { fieldNamesOf } from '../fields/field-names';
import { hasUnknownField } from '../fields/unknown-fields';
import { inTurns } from '../turns/in-turns';
import { arrivedBody, readBody } from '../body/request-body';
import { jsonFields, parseQueryString, parseUrlEncoded, queryStringOf } from '../body/request-fields';
import { ACCESS } from '../access';
import { isV1Request } from '../v1/v1-request';
import { V1_PREFIX } from '../v1/v1-prefix';
import { acceptedBodyType } from './body-type';
import {
  BODY_FORMATS,
  DEFAULT_MAX_BYTES,
  FORM_TYPE,
  INPUT_DEFAULTS,
  QUERY_FORMAT,
  type BodyFormats,
  type FormFields,
  type InputDefaults,
} from './input-formats';
import { MalformedInput } from './malformed-input';
import type { IdentifiedRequest } from './request.decorators';
import { inputParameter } from './route-input';
import { toDto } from './to-dto';
import { toStorableText } from './rules';
import { violationsOf } from './violations';

const MAX_FIELDS = 100;
const MAX_NAME_LENGTH = 200;

type QueryFormat = (fields: FormFields) => object;

/** How a parameter of a controller method is read, and its DTO class, if it has one. */
interface ParameterInput<Format> {
  format: Format;
  type: Type<object> | null;
}

interface RouteInput {
  body: ParameterInput<BodyFormats> | null;
  query: ParameterInput<QueryFormat> | null;
}

/**
 * Reads the body and the query string of the routes that have a `@Body()` or a `@Query()` parameter. It is the last of the
 * global guards, so that an unauthenticated caller cannot make the service buffer a body, and runs before the interceptors and
 * the validation pipe. It rejects no call with such a parameter: input that cannot be read or parsed becomes a `MalformedInput`,
 * because the guards of controllers and methods refuse calls first.
 *
 * The validation pipe refuses fields that the DTO does not have. Query strings outside of the v1 API, forms and XML may carry
 * names that are not meant for the service, such as cache breakers, so this guard removes those that resemble no field.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly routes = new WeakMap<object, RouteInput>();

  constructor(
    private readonly reflector: Reflector,
    private readonly directory: FieldDirectory,
    @Inject(INPUT_DEFAULTS) private readonly defaults: InputDefaults,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { body, query } = this.inputOf(context);
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    if (query) this.setQuery(request, query);
    else if (request.url.includes('?')) {
      const error = this.strayParameters(request, body?.type ?? null, !body && this.isPublic(context));
      if (error && !body) throw error;
      if (error) {
        request.body = request.input = new MalformedInput(error, Buffer.from(queryStringOf(request), 'latin1'));
        return true;
      }
    }
    if (body) return this.setBody(request, body);
    if (query) request.input = request.queryInput;
    return true;
  }

  private isPublic(context: ExecutionContext): boolean {
    return this.reflector.getAllAndOverride(ACCESS, [context.getHandler(), context.getClass()]) === 'public';
  }

  /** The error of a query string of a route without query parameters. Public pages ignore it. */
  private strayParameters(request: IdentifiedRequest, body: Type<object> | null, isPage: boolean): AppError | null {
    if (isPage || this.defaults.ignoresUnknownFields) return null;
    let names: string[];
    try {
      names = [...parseQueryString(queryStringOf(request)).keys()];
    } catch (error) {
      return malformed(null, error).error;
    }
    const isV1 = request.path.startsWith(V1_PREFIX);
    const isField = (name: string): boolean => body !== null && this.directory.resembles(name, body);
    const fields = names
      .filter((name) => isV1 || isField(name))
      .slice(0, MAX_FIELDS)
      .map((name) => {
        const field = toStorableText(name, MAX_NAME_LENGTH);
        const advice = isField(name) ? 'Send it in the body.' : 'It has no query parameters.';
        return { field, message: `${field} is not a query parameter of this call. ${advice}` };
      });
    if (!fields[0]) return null;
    if (isV1) return new AppError('INVALID_REQUEST', fields[0].message, { details: { fields } });
    return new AppError(this.defaults.defaultCode ?? 'INVALID_REQUEST', fields[0].message);
  }

  private setBody(
    request: IdentifiedRequest,
    { format, type }: ParameterInput<BodyFormats>,
  ): boolean | Promise<boolean> {
    const contentType = request.headers['content-type'];
    const set = (body: object): true => {
      if (mayHoldOtherNames(contentType, format)) this.removeOtherNames(body, type);
      request.body = body;
      request.input = this.comparedInput(body, type);
      return true;
    };
    const maxBytes = format.maxBytes ?? DEFAULT_MAX_BYTES;
    const parse = (bytes: Buffer) => parseBody(request, bytes, format, type);
    // Most bodies arrive together with their headers.
    const arrived = arrivedBody(request, maxBytes);
    const body = arrived
      ? parse(arrived)
      : readBody(request, maxBytes).then(
          ({ bytes }) => parse(bytes),
          (error: unknown) => malformed(null, error),
        );
    return body instanceof Promise ? body.then(set) : set(body);
  }

  private setQuery(request: IdentifiedRequest, { format, type }: ParameterInput<QueryFormat>): void {
    const text = queryStringOf(request);
    let query: object;
    try {
      query = format(parseQueryString(text));
      if (text !== '' && !(type && isV1Request(type))) this.removeOtherNames(query, type);
    } catch (error) {
      query = malformed(Buffer.from(text, 'latin1'), error);
    }
    // Express defines `query` as a getter.
    Object.defineProperty(request, 'query', { value: query, configurable: true });
    request.queryInput = this.comparedInput(query, type);
  }

  /** Removes the fields that the DTO does not have and that no caller can have meant for it. */
  private removeOtherNames(fields: object, type: Type<object> | null): void {
    if (!type || fields instanceof MalformedInput) return;
    const known = fieldNamesOf(type).fields;
    for (const name of Object.keys(fields)) {
      if (!known.has(name) && !this.directory.resembles(name, type)) Reflect.deleteProperty(fields, name);
    }
  }

  /** What makes two calls with an Idempotency-Key the same: the DTO, or all fields if the call is refused for one of them. */
  private comparedInput(fields: object, type: Type<object> | null): object {
    if (!type || fields instanceof MalformedInput) return fields;
    const isRefused = !this.defaults.ignoresUnknownFields && hasUnknownField(fields, fieldNamesOf(type));
    return isRefused ? fields : toDto(type, fields, 0);
  }

  private inputOf(context: ExecutionContext): RouteInput {
    const handler = context.getHandler();
    const controller = context.getClass();
    const known = this.routes.get(handler);
    if (known) return known;
    const body = inputParameter(RouteParamtypes.BODY, controller, handler.name);
    const query = inputParameter(RouteParamtypes.QUERY, controller, handler.name);
    const formats = this.reflector.getAllAndOverride<BodyFormats | undefined>(BODY_FORMATS, [handler, controller]);
    const queryFormat = this.reflector.get<QueryFormat | undefined>(QUERY_FORMAT, handler);
    const input: RouteInput = {
      body: body && { ...body, format: formats ?? this.defaults.body ?? {} },
      query: query && { ...query, format: queryFormat ?? this.defaults.query ?? parametersAsFields },
    };
    this.routes.set(handler, input);
    return input;
  }
}

/** The first octets of a body, which may be spaces. */
const JSON_START_BYTES = 100;

function parseBody(
  request: IdentifiedRequest,
  bytes: Buffer,
  format: BodyFormats,
  type: Type<object> | null,
): object | Promise<object> {
  try {
    if (bytes.length === 0 && format.mayBeEmpty) return readEmptyBody(type);
    const mediaType = acceptedBodyType(request.headers['content-type'], format);
    if (format.bytes) return format.bytes(bytes, mediaType, request);
    if (format.form && mediaType === FORM_TYPE) {
      if (looksLikeJson(bytes)) {
        throw new AppError(
          'INVALID_REQUEST',
          `The body is JSON, but the Content-Type is ${FORM_TYPE}. Send Content-Type: application/json.`,
        );
      }
      return format.form(parseUrlEncoded(bytes));
    }
  } catch (error) {
    return malformed(bytes, error);
  }
  return parseJson(bytes, format);
}

/** Some clients label JSON as a form by default. No field of a form begins like this. */
function looksLikeJson(bytes: Buffer): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[{"\]])/.test(bytes.toString('latin1', 0, JSON_START_BYTES));
}

async function parseJson(bytes: Buffer, { json, maxValues }: BodyFormats): Promise<object> {
  try {
    const object = await inTurns(jsonFields(bytes, maxValues), 1);
    return json ? json(object) : object;
  } catch (error) {
    return malformed(bytes, error);
  }
}

function readEmptyBody(type: Type<object> | null): object {
  if (type && violationsOf(toDto(type, {})).length > 0) {
    throw new AppError('INVALID_REQUEST', 'The body is empty. Send a JSON object.');
  }
  return {};
}

/** Whether a body has a format in which callers send names for others, such as a form. */
function mayHoldOtherNames(contentType: string | undefined, { bytes, form, mediaTypes }: BodyFormats): boolean {
  if (bytes) return mediaTypes?.includes('application/json') !== true;
  return form !== undefined && contentType?.toLowerCase().trimStart().startsWith(FORM_TYPE) === true;
}

function malformed(source: Buffer | null, error: unknown): MalformedInput {
  if (error instanceof AppError) return new MalformedInput(error, source);
  if (!(error instanceof FieldError)) throw error;
  return new MalformedInput(new AppError('INVALID_REQUEST', error.message, { cause: error }), source);
}

/** A repeated parameter becomes an array, which the validation pipe rejects. */
function parametersAsFields(parameters: FormFields): object {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, values] of parameters) fields[name] = values.length === 1 ? values[0] : values;
  return fields;
}
