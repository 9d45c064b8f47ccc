import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import { AppError } from '@heliograph/errors';
import type { Request, Response } from 'express';
import { from, type Observable, switchMap } from 'rxjs';
import { decodeText } from '../decode-text';
import { readBody } from '../request-body';
import { FieldError, parseQueryString, parseUrlEncoded, queryStringOf, readJsonFields } from '../request-fields';
import { BODY_FORMATS, FORM_TYPE, QUERY_FORMAT, type BodyFormats, type FormFields } from './input-formats';
import { MalformedInput } from './malformed-input';

const DEFAULT_MAX_BYTES = 1_000_000;

interface RouteInput {
  body: BodyFormats | null;
  query: ((fields: FormFields) => object) | null;
}

/**
 * Reads the body and the query string of the routes that have a `@Body()` or a `@Query()` parameter. It runs after the
 * guards, so that an unauthenticated caller cannot make the service buffer a body, and before the validation pipe.
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  private readonly routes = new WeakMap<object, RouteInput>();

  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body, query } = this.inputOf(context);
    if (!body && !query) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (query) setQuery(request, query);
    if (!body) return next.handle();
    return from(setBody(request, http.getResponse<Response>(), body)).pipe(switchMap(() => next.handle()));
  }

  private inputOf(context: ExecutionContext): RouteInput {
    const handler = context.getHandler();
    const known = this.routes.get(handler);
    if (known) return known;
    const parameters = Object.keys(
      (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as object,
    ).map((name) => Number(name.split(':')[0]));
    const formats = this.reflector.getAllAndOverride<BodyFormats | undefined>(BODY_FORMATS, [
      handler,
      context.getClass(),
    ]);
    const input: RouteInput = {
      body: parameters.includes(RouteParamtypes.BODY) ? (formats ?? {}) : null,
      query: parameters.includes(RouteParamtypes.QUERY)
        ? (this.reflector.get<RouteInput['query']>(QUERY_FORMAT, handler) ?? parametersAsFields)
        : null,
    };
    this.routes.set(handler, input);
    return input;
  }
}

async function setBody(request: Request, response: Response, formats: BodyFormats): Promise<void> {
  const { mediaType, bytes } = await readBody(request, response, formats.maxBytes ?? DEFAULT_MAX_BYTES);
  request.body = convert(bytes, () => {
    if (formats.bytes) return formats.bytes(bytes);
    if (formats.form && mediaType === FORM_TYPE) return formats.form(parseUrlEncoded(bytes));
    const object = readJsonFields(decodeText(bytes));
    return formats.json ? formats.json(object) : object;
  });
}

function setQuery(request: Request, fieldsOf: (fields: FormFields) => object): void {
  const text = queryStringOf(request);
  // Express defines `query` as a getter.
  Object.defineProperty(request, 'query', {
    value: convert(Buffer.from(text, 'latin1'), () => fieldsOf(parseQueryString(text))),
    configurable: true,
  });
}

function convert(source: Buffer, read: () => object): object {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return new MalformedInput(error, source);
    if (!(error instanceof FieldError)) throw error;
    return new MalformedInput(new AppError('INVALID_REQUEST', error.message, { cause: error }), source);
  }
}

/** A parameter that was sent more than once becomes an array, which the validation pipe refuses. */
function parametersAsFields(parameters: FormFields): object {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, values] of parameters) fields[name] = values.length === 1 ? values[0] : values;
  return fields;
}
