import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { readCookie, setCookie, type CredentialSource } from '@heliograph/auth';
import { DEVICE_DAYS, SESSION_DAYS, type Attempt, type OpenedSession } from '@heliograph/users';
import type { Request, Response } from 'express';

const DAY_MS = 24 * 3_600_000;

/** A browser or another client, with its cookies. */
export class HttpClient {
  /** The origin of a login or of a change of credentials. */
  readonly attempt: Attempt;
  readonly sessionToken: string | undefined;
  /** What the client authenticates with, for the `Authenticator`. */
  readonly credentials: CredentialSource;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {
    this.attempt = attemptOf(request);
    this.sessionToken = readCookie(request, 'session');
    this.credentials = request;
  }

  setSession({ token, deviceToken }: OpenedSession): void {
    setCookie(this.request, this.response, 'session', token, SESSION_DAYS * DAY_MS);
    if (deviceToken !== null) setCookie(this.request, this.response, 'device', deviceToken, DEVICE_DAYS * DAY_MS);
  }

  clearSession(): void {
    setCookie(this.request, this.response, 'session', '', 0);
  }
}

/** The client of the request. */
export const CurrentClient = createParamDecorator((_: unknown, context: ExecutionContext): HttpClient => {
  const http = context.switchToHttp();
  return new HttpClient(http.getRequest<Request>(), http.getResponse<Response>());
});

export function attemptOf(request: Request): Attempt {
  return {
    from: { ipAddress: request.ip ?? null, userAgent: request.headers['user-agent'] ?? null },
    deviceToken: readCookie(request, 'device'),
  };
}
