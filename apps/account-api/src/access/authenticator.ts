import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@heliograph/audit';
import { hashKey, isAllowed, isUnrestricted, KeyDirectory, KeyUses, readKey, type Tenant } from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { requestIdOf } from '@heliograph/platform';
import { SessionsService, type LiveSession } from '@heliograph/users';
import type { Request, Response } from 'express';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { readCookie } from './session-cookie';

/** What a call proved: a key, a session, or nothing yet. */
export type Credential =
  { kind: 'key'; key: Tenant } | { kind: 'session'; session: LiveSession } | { kind: 'none'; refusal: AppError };

/** Finds out who calls. */
@Injectable()
export class Authenticator {
  private readonly operatorHashes: Buffer[];

  constructor(
    @Inject(KeyDirectory) private readonly keys: KeyDirectory,
    @Inject(KeyUses) private readonly uses: KeyUses,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(ACCOUNT_API_SETTINGS) settings: AccountApiSettings,
  ) {
    this.operatorHashes = settings.PLATFORM_OPERATOR_TOKEN.map(hashKey);
  }

  /** A key goes before a cookie. A key that does not hold is refused, whatever cookie comes with it. */
  async credentialOf(request: Request): Promise<Credential> {
    if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined) {
      const text = readKey(request.headers);
      const key = text === null ? null : await this.keys.find(text);
      return key ? { kind: 'key', key: key as Tenant } : { kind: 'none', refusal: unauthenticated() };
    }
    return this.sessionOf(request);
  }

  async sessionOf(request: Request): Promise<Credential> {
    const token = readCookie(request, 'session');
    if (token === undefined) return { kind: 'none', refusal: unauthenticated() };
    const session = await this.sessions.find(token);
    if (session) return { kind: 'session', session };
    const refusal = new AppError('AUTH_SESSION_EXPIRED', 'The session has ended. Log in again.');
    return { kind: 'none', refusal };
  }

  /** Address, then organization, then scopes: a scoped key is for the messaging APIs. Throws IP_NOT_ALLOWED, FORBIDDEN. */
  admitKey(key: Tenant, request: Request): void {
    if (!isAllowed(key.allowedAddresses, request.ip)) {
      throw new AppError(
        'IP_NOT_ALLOWED',
        "The address of this call is not on the organization's allow-list. Add it, or call from one that is.",
      );
    }
    if ((key.organizationId as string | null) === null || !isUnrestricted(key)) {
      throw new AppError('FORBIDDEN', 'This needs a key of an organization, without scopes.');
    }
    this.uses.note(key.keyId);
  }

  /** NOT_FOUND while no operator is configured: then the operator's endpoints do not exist. Throws UNAUTHENTICATED. */
  admitOperator(request: Request): void {
    if (this.operatorHashes.length === 0) {
      throw new AppError('NOT_FOUND', `There is nothing at ${request.path.slice(0, 200)}.`);
    }
    const token = /^Bearer +(\S{1,512}) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const given = token === undefined ? null : hashKey(token);
    if (given && this.operatorHashes.some((hash) => timingSafeEqual(hash, given))) return;
    throw new AppError('UNAUTHENTICATED', 'Send the platform operator\'s token as "Authorization: Bearer <token>".', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

export function actorOf(who: Pick<Actor, 'kind' | 'id' | 'name'>, request: Request, response: Response): Actor {
  return {
    ...who,
    ipAddress: request.ip ?? null,
    userAgent: request.headers['user-agent'] ?? null,
    requestId: requestIdOf(response),
  };
}

function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'Log in, or send a valid API key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}
