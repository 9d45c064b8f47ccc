import { CanActivate, ExecutionContext, Inject, Injectable, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import { AppError } from '@heliograph/errors';
import { FieldError } from '../field-error';
import { inTurns } from '../turns/in-turns';
import { arrivedBody, readBody } from '../body/request-body';
import { jsonFields, parseQueryString, parseUrlEncoded, queryStringOf } from '../body/request-fields';
import { acceptedBodyType } from './body-type';
import {
  BODY_FORMATS,
  FORM_TYPE,
  INPUT_DEFAULTS,
  QUERY_FORMAT,
  type BodyFormats,
  type FormFields,
  type InputDefaults,
} from './input-formats';
import { MalformedInput } from './malformed-input';
import type { IdentifiedRequest } from './request.decorators';
import { dtoType, isValid, toDto } from './to-dto';

const DEFAULT_MAX_BYTES = 1_000_000;

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
 * the validation pipe. It rejects no call: input that cannot be read or parsed becomes a `MalformedInput`, because the guards of
 * controllers and methods refuse calls first.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly routes = new WeakMap<object, RouteInput>();

  constructor(
    private readonly reflector: Reflector,
    @Inject(INPUT_DEFAULTS) private readonly defaults: InputDefaults,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { body, query } = this.inputOf(context);
    if (!body && !query) return true;
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    if (query) setQuery(request, query);
    if (body) return setBody(request, body);
    request.input = request.queryInput;
    return true;
  }

  private inputOf(context: ExecutionContext): RouteInput {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const known = this.routes.get(handler);
    if (known) return known;
    const body = typeOf(RouteParamtypes.BODY, controller, handler.name);
    const query = typeOf(RouteParamtypes.QUERY, controller, handler.name);
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

/** The type of the parameter with `@Body()` or `@Query()`; null if the method has no such parameter. */
function typeOf(kind: RouteParamtypes, controller: Type, method: string): Pick<ParameterInput<unknown>, 'type'> | null {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  const name = Object.keys(parameters).find((key) => key.startsWith(`${kind}:`));
  if (name === undefined) return null;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, method) ?? []) as unknown[];
  return { type: dtoType(types[Number(name.split(':')[1])]) };
}

function setBody(
  request: IdentifiedRequest,
  { format, type }: ParameterInput<BodyFormats>,
): boolean | Promise<boolean> {
  const set = (body: object): true => {
    request.body = body;
    request.input = inputOf(body, type);
    return true;
  };
  const maxBytes = format.maxBytes ?? DEFAULT_MAX_BYTES;
  const parse = (bytes: Buffer) => parseBody(bytes, request.headers['content-type'], format, type);
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

function parseBody(
  bytes: Buffer,
  contentType: string | undefined,
  format: BodyFormats,
  type: Type<object> | null,
): object | Promise<object> {
  try {
    if (bytes.length === 0 && format.mayBeEmpty) return readEmptyBody(type);
    const mediaType = acceptedBodyType(contentType, format);
    if (format.bytes) return format.bytes(bytes, mediaType);
    if (format.form && mediaType === FORM_TYPE) return format.form(parseUrlEncoded(bytes));
  } catch (error) {
    return malformed(bytes, error);
  }
  return parseJson(bytes, format);
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
  if (type && !isValid(toDto(type, {}))) {
    throw new AppError('INVALID_REQUEST', 'The body is empty. Send a JSON object.');
  }
  return {};
}

function setQuery(request: IdentifiedRequest, { format, type }: ParameterInput<QueryFormat>): void {
  const text = queryStringOf(request);
  let query: object;
  try {
    query = format(parseQueryString(text));
  } catch (error) {
    query = malformed(Buffer.from(text, 'latin1'), error);
  }
  // Express defines `query` as a getter.
  Object.defineProperty(request, 'query', { value: query, configurable: true });
  request.queryInput = inputOf(query, type);
}

function inputOf(fields: object, type: Type<object> | null): object {
  return type && !(fields instanceof MalformedInput) ? toDto(type, fields) : fields;
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
