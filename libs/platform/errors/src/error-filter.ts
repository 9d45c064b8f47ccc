import type { ServerResponse } from 'node:http';
import { types } from 'node:util';
import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError, serviceUnavailable } from './app-error';
import { isDependencyFailure } from './dependency-failure';
import { loggablePath } from './loggable-path';
import { messagingErrorBody } from './wire-shapes';

export interface ErrorLog {
  error(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

const WARN_EVERY_MS = 1_000;

/** Turns whatever was thrown into the one error that a caller sees. `allowed` are the methods of the path. */
export function toAppError(thrown: unknown, request: { path: string; allowed: string[] }): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    if (status === 404 && request.allowed.length > 0) {
      return new AppError('METHOD_NOT_ALLOWED', `Use ${request.allowed.join(' or ')} on this path.`, {
        headers: { Allow: request.allowed.join(', ') },
      });
    }
    if (status === 404) return new AppError('NOT_FOUND', `There is nothing at ${request.path.slice(0, 200)}.`);
    if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.', { cause: thrown });
    if (status === 429) return new AppError('RATE_LIMITED', 'Too many requests. Wait as long as Retry-After says.');
    if (status < 500) return new AppError('INVALID_REQUEST', thrown.message, { cause: thrown });
  }
  // Express answers a path with broken percent-encoding through an error that carries its status.
  if (types.isNativeError(thrown) && thrown.name === 'URIError')
    return new AppError('INVALID_REQUEST', 'The path is not valid percent-encoding.');
  if (isDependencyFailure(thrown)) return serviceUnavailable('dependency', thrown);
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the X-Request-Id to support.', {
    cause: thrown,
  });
}

/**
 * Logs what is ours. What is away or switched off concerns every call, so one entry a second and code tells of it, with
 * how many calls it stands for.
 */
export class ErrorReport {
  private readonly told = new Map<string, { at: number; unlogged: number }>();

  constructor(private readonly log: ErrorLog) {}

  report(error: AppError, fields: Record<string, unknown>): void {
    if (error.status < 500) return;
    if (error.code === 'INTERNAL_ERROR') {
      this.log.error(fields, 'request failed');
      return;
    }
    const told = this.told.get(error.code) ?? { at: 0, unlogged: 0 };
    this.told.set(error.code, told);
    told.unlogged++;
    if (Date.now() - told.at < WARN_EVERY_MS) return;
    this.log.warn({ ...fields, code: error.code, calls: told.unlogged }, 'something that calls need is away');
    told.at = Date.now();
    told.unlogged = 0;
  }
}

export interface FailedCall {
  method: string | undefined;
  path: string;
  /** Methods that the path knows. */
  allowed?: string[];
  response: ServerResponse & { locals?: Record<string, unknown> };
  report: ErrorReport;
}

/** What to answer for whatever was thrown, reported. Null where an answer is under way already: it is cut. */
export function answerError(
  thrown: unknown,
  { method, path, allowed = [], response, report }: FailedCall,
): AppError | null {
  const error = toAppError(thrown, { path, allowed });
  report.report(error, {
    requestId: response.getHeader('X-Request-Id'),
    method,
    path: loggablePath(path),
    err: thrown,
  });
  if (response.locals) response.locals['errorCode'] = error.code;
  if (!response.headersSent) return error;
  response.destroy();
  return null;
}

/** The one exception filter: answers in the wire shape it was made with. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly report: ErrorReport,
    private readonly write: (error: AppError, request: Request, response: Response) => void = (
      error,
      _request,
      response,
    ) => void response.json(messagingErrorBody(error)),
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { method, path } = request;
    const error = answerError(thrown, {
      method,
      path,
      allowed: allowedMethods(request),
      response,
      report: this.report,
    });
    if (!error) return;
    response.status(error.status).set(error.headers);
    this.write(error, request, response);
  }
}

interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** A path that cannot be decoded is no path of any route. */
function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

/** The methods that the router knows for the request's path: empty when the path itself is unknown. */
function allowedMethods(request: Request): string[] {
  const app = request.app as unknown as { router?: { stack?: RouteLayer[] } };
  const methods = new Set<string>();
  for (const layer of app.router?.stack ?? []) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const [method, served] of Object.entries(layer.route.methods)) if (served) methods.add(method.toUpperCase());
  }
  methods.delete('HEAD');
  methods.delete('_ALL');
  return [...methods].sort();
}
