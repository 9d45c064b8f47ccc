import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CredentialSource,
  isAllowed,
  isUnrestricted,
  KeyDirectory,
  type KeyPrincipal,
  KeyUses,
  readCookie,
  readKey,
} from '@heliograph/auth';
import { AppError } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import { isAccessToken, SessionsService, TokenPairsService, type LiveSession } from '@heliograph/users';
import { hashToken, readBearer } from '@heliograph/secrets';
import type { Request } from 'express';
import type { AccountApiConfig } from '../account-api.config';

/** A key of an organization, once it is admitted. */
type OrganizationKey = KeyPrincipal & { organizationId: string };

/** The credential of a request: an API key, a session, or none. */
export type Credential =
  | { kind: 'key'; key: OrganizationKey }
  | { kind: 'session'; session: LiveSession; isCookie: boolean }
  | { kind: 'none'; refusal: AppError };

/** Authenticates requests. */
@Injectable()
export class Authenticator {
  private readonly operatorHashes: Buffer[];

  constructor(
    private readonly keys: KeyDirectory,
    private readonly uses: KeyUses,
    private readonly sessions: SessionsService,
    private readonly tokens: TokenPairsService,
    @Inject(CONFIG) config: AccountApiConfig,
  ) {
    this.operatorHashes = config.PLATFORM_OPERATOR_TOKEN.map(hashToken);
  }

  /**
   * An API key or access token takes precedence over a cookie. An invalid key or token is rejected even if a valid
   * cookie is present.
   */
  async credentialOf(request: CredentialSource): Promise<Credential> {
    if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined) {
      const text = readKey(request.headers);
      if (text !== null && isAccessToken(text)) return this.tokenSession(text);
      const key = text === null ? null : await this.keys.find(text);
      return key ? { kind: 'key', key: key as OrganizationKey } : { kind: 'none', refusal: unauthenticated() };
    }
    return this.sessionOf(request);
  }

  /** The session of an access token or of a cookie. */
  async sessionOf(request: CredentialSource): Promise<Credential> {
    const bearer = request.headers.authorization === undefined ? null : readKey(request.headers);
    if (bearer !== null && isAccessToken(bearer)) return this.tokenSession(bearer);
    const token = readCookie(request, 'session');
    if (token === undefined) return { kind: 'none', refusal: bearer === null ? unauthenticated() : loginRequired() };
    const session = await this.sessions.find(token);
    if (session) return { kind: 'session', session, isCookie: true };
    const refusal = new AppError('AUTH_SESSION_EXPIRED', 'The session has expired. Log in again.');
    return { kind: 'none', refusal };
  }

  /** Id of the session of a public route; null without a valid one. */
  async sessionIdOf(request: CredentialSource): Promise<string | null> {
    const credential = await this.sessionOf(request);
    return credential.kind === 'session' ? credential.session.id : null;
  }

  private async tokenSession(token: string): Promise<Credential> {
    const session = await this.tokens.sessionOf(token);
    return session ? { kind: 'session', session, isCookie: false } : { kind: 'none', refusal: unauthenticated() };
  }

  /**
   * Checks the IP address, then the organization, then the scopes: keys with scopes are for the messaging APIs only.
   * Throws IP_NOT_ALLOWED, FORBIDDEN.
   */
  admitKey(key: OrganizationKey, request: Request): void {
    if (!isAllowed(key.allowedAddresses, request.ip)) {
      throw new AppError(
        'IP_NOT_ALLOWED',
        'The IP address of this request is not on the allow-list of the organization. Add it, or call from an allowed address.',
      );
    }
    if ((key.organizationId as string | null) === null || !isUnrestricted(key)) {
      throw new AppError('FORBIDDEN', 'This endpoint requires an organization API key without scopes.');
    }
    this.uses.note(key.keyId);
  }

  /**
   * Throws NOT_FOUND if no operator token is configured, because the operator endpoints are then disabled, and
   * UNAUTHENTICATED for a wrong token.
   */
  admitOperator(request: Request): void {
    if (this.operatorHashes.length === 0) {
      throw new AppError('NOT_FOUND', `No route matches ${request.path.slice(0, 200)}.`);
    }
    const token = readBearer(request.headers.authorization);
    const given = token ? hashToken(token) : null;
    if (given && this.operatorHashes.some((hash) => timingSafeEqual(hash, given))) return;
    throw new AppError('UNAUTHENTICATED', 'Authenticate as the operator with "Authorization: Bearer <token>".', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

/** For a request with an API key to an endpoint of the user. */
function loginRequired(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'This endpoint concerns a user, so it does not accept API keys. Log in with POST /api/v1/auth/login, and send the access token as ' +
      '"Authorization: Bearer <token>".',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'Authentication required. Log in, or send an API key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}
