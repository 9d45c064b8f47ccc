import { types } from 'node:util';
import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError, serviceUnavailable } from './app-error';
import { isDependencyFailure } from './dependency-failure';
import { loggablePath } from './loggable-path';
import { helpLink, messagingErrorBody } from './wire-shapes';

export interface ErrorLog {
  error(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** What guards have found out about a request. */
interface RequestOwner {
  organizationId?: string;
  workspaceId?: string;
}

const WARN_EVERY_MS = 1_000;

/** Converts a thrown value to the AppError that is returned. `allowed` returns the methods of the path. */
export function toAppError(thrown: unknown, request: { path: string; allowed?: () => string[] }): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    const allowed = status === 404 ? (request.allowed?.() ?? []) : [];
    if (allowed.length > 0) {
      return new AppError('METHOD_NOT_ALLOWED', `Use ${allowed.join(' or ')} on this path.`, {
        headers: { Allow: allowed.join(', ') },
      });
    }
    if (status === 404)
      return new AppError(
        'NOT_FOUND',
        `The path ${request.path.slice(0, 200)} does not exist. See the API reference at /docs.`,
      );
    if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.', { cause: thrown });
    if (status === 429)
      return new AppError('RATE_LIMITED', 'Too many requests. Try again after the seconds in the Retry-After header.');
    if (status < 500) return new AppError('INVALID_REQUEST', thrown.message, { cause: thrown });
  }
  // Express reports a path with invalid percent-encoding through an error with a status.
  if (types.isNativeError(thrown) && thrown.name === 'URIError')
    return new AppError('INVALID_REQUEST', 'The path is not valid percent-encoding.');
  if (isDependencyFailure(thrown)) return serviceUnavailable('dependency', thrown);
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the X-Request-Id to support.', {
    cause: thrown,
  });
}

/**
 * Logs errors of the service. An unavailable dependency or a disabled feature affects every call, so it is logged once
 * per second and code, with the number of calls.
 */
export class ErrorReport {
  private readonly entries = new Map<string, { at: number; unlogged: number }>();

  constructor(private readonly log: ErrorLog) {}

  report(error: AppError, fields: Record<string, unknown>): void {
    if (error.status < 500) return;
    if (error.code === 'INTERNAL_ERROR') {
      this.log.error(fields, 'request failed');
      return;
    }
    const entry = this.entries.get(error.code) ?? { at: 0, unlogged: 0 };
    this.entries.set(error.code, entry);
    entry.unlogged++;
    if (Date.now() - entry.at < WARN_EVERY_MS) return;
    this.log.warn(
      { ...fields, code: error.code, calls: entry.unlogged },
      'a dependency is unavailable or a feature is disabled',
    );
    entry.at = Date.now();
    entry.unlogged = 0;
  }
}

/** The exception filter of all services. The constructor gets the format of the error body. */
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
    const error = toAppError(thrown, { path, allowed: () => allowedMethods(request) });
    const requestId = response.getHeader('X-Request-Id');
    const { organizationId, workspaceId } = request as Request & RequestOwner;
    const ids = { requestId, organizationId, workspaceId };
    this.report.report(error, { ...ids, method, path: loggablePath(path), err: thrown });
    response.locals['errorCode'] = error.code;
    if (response.headersSent) {
      // A part of another response was sent, so the client must not take it for a whole one.
      response.destroy();
      return;
    }
    response.status(error.status);
    setRateLimit(request, response);
    response.set({ Link: helpLink(error.code), ...error.headers });
    this.write(error, request, response);
  }
}

/** The setting of the Express application with the limit of calls per minute for the path of a request; 0 for none. */
export const CALLS_PER_MINUTE = 'calls per minute';

/**
 * Adds the rate limit to an error of a call that no guard has counted, because its path does not exist or its caller is not known:
 * nothing of the limit was used.
 */
function setRateLimit(request: Request, response: Response): void {
  const app = request.app as Request['app'] | undefined;
  const limitOf = app?.get(CALLS_PER_MINUTE) as ((path: string) => number) | undefined;
  const limit = limitOf?.(request.path) ?? 0;
  if (limit === 0 || response.hasHeader('RateLimit-Limit')) return;
  response.set({ 'RateLimit-Limit': String(limit), 'RateLimit-Remaining': String(limit), 'RateLimit-Reset': '60' });
}

interface RouteLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** A path that cannot be decoded matches no route. */
function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

/** The methods that the router has for the path of the request; empty for an unknown path. */
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
