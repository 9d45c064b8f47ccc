import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, helpLink, serviceUnavailable } from '@heliograph/errors';
import { discardUnreadBody } from '../body/discard-rest';
import { newRequestId } from '../observability/request-id';

const LIVE = '/health/live';
const READY = '/health/ready';

/** Answers requests while the service starts: it is live and not ready, and every other path is unavailable. */
export class StartingResponses {
  private waitingFor: string | null = null;

  constructor(
    private readonly service: string,
    /** Returns the body of an error in the format of the path. */
    private readonly errorBody: (error: AppError, path: string) => object,
  ) {}

  /** Reports a dependency as down until the step has ended. */
  async during(dependency: string, step: () => Promise<void>): Promise<void> {
    this.waitingFor = dependency;
    await step();
    this.waitingFor = null;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    response.setHeader('X-Request-Id', newRequestId(request));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    discardUnreadBody(request, response);
    if (path === LIVE) return send(response, 200, { status: 'ok' });
    const error = this.errorOf(path);
    response.setHeader('Link', helpLink(error.code));
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    if (error.status === 503 && path.startsWith(READY)) return send(response, 503, this.readiness());
    send(response, error.status, this.errorBody(error, path));
  }

  private errorOf(path: string): AppError {
    const named = path.startsWith(`${READY}/`) ? path.slice(READY.length + 1) : this.service;
    return named === this.service ? serviceUnavailable('start') : new AppError('NOT_FOUND', otherService(this.service));
  }

  private readiness(): object {
    const checks = this.waitingFor === null ? { start: 'in progress' } : { [this.waitingFor]: 'down' };
    return { status: 'unavailable', checks };
  }
}

/** The message for the readiness of another service. */
export function otherService(service: string): string {
  return `This is the service ${service}. Correct the address of the upstream.`;
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
