import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@heliograph/errors';
import { hashToken, newToken } from '@heliograph/secrets';
import { DataSource, IsNull, MoreThan, Repository, type EntityManager } from 'typeorm';
import type { Login } from '../login/login.service';
import { LoginService } from '../login/login.service';
import { Session } from './session.entity';
import { SessionsService, type LiveSession } from './sessions.service';
import { AccessToken, RefreshToken } from './token.entity';
import { User } from '../user.entity';

export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
/** Prefixes that distinguish tokens from API keys. */
const ACCESS_PREFIX = 'hat_';
const REFRESH_PREFIX = 'hrt_';
const MAX_TOKEN_LENGTH = 100;

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  user: User;
}

/** Whether a credential is an access token; otherwise it may be an API key. */
export function isAccessToken(credential: string): boolean {
  return credential.startsWith(ACCESS_PREFIX) && credential.length <= MAX_TOKEN_LENGTH;
}

/**
 * Pairs of an access token and a refresh token. The pairs of one login form a family. A refresh token that is used a
 * second time was stolen, so it ends the session.
 */
@Injectable()
export class TokenPairsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(AccessToken) private readonly accessTokens: Repository<AccessToken>,
    @InjectRepository(RefreshToken) private readonly refreshTokens: Repository<RefreshToken>,
    @InjectRepository(Session) private readonly families: Repository<Session>,
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
  ) {}

  /** Throws AUTH_INVALID_CREDENTIALS, AUTH_MFA_REQUIRED, RATE_LIMITED, SERVICE_UNAVAILABLE. */
  login(login: Omit<Login, 'sessionToken'>): Promise<TokenPair> {
    return this.logins.authenticate(login, async (transaction, { user }) => {
      const { session } = await this.sessions.open(transaction, user, login.from, null, REFRESH_TOKEN_SECONDS);
      return { ...(await this.issue(transaction, session.id)), user };
    });
  }

  /** Exchanges a refresh token. Throws AUTH_SESSION_EXPIRED. */
  async refresh(refreshToken: string): Promise<TokenPair> {
    const pair = await this.dataSource.transaction(async (transaction) => {
      const token = await this.lock(transaction, refreshToken);
      if (!token) return null;
      if (token.usedAt !== null) {
        // Committed in spite of the error, because the client that holds the successor of the token must lose it.
        await transaction
          .getRepository(Session)
          .update({ id: token.sessionId, revokedAt: IsNull() }, { revokedAt: new Date() });
        return null;
      }
      const session = await this.liveSession(transaction, token.sessionId);
      if (!session?.user || token.expiresAt.getTime() <= Date.now()) return null;
      await transaction.getRepository(RefreshToken).update({ tokenHash: token.tokenHash }, { usedAt: new Date() });
      const expiresAt = new Date(Date.now() + REFRESH_TOKEN_SECONDS * 1_000);
      await transaction.getRepository(Session).update(session.id, { expiresAt });
      return { ...(await this.issue(transaction, session.id)), user: session.user };
    });
    if (!pair) throw expired();
    return pair;
  }

  /** Ends the session of a refresh token, used or not. Throws AUTH_SESSION_EXPIRED. */
  async revoke(refreshToken: string): Promise<void> {
    const token = await this.refreshTokens.findOneBy({ tokenHash: hashToken(refreshToken) });
    if (!token) throw expired();
    await this.families.update({ id: token.sessionId, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  /** The session of an access token; null for a token that is unknown or expired, or whose session has ended. */
  async sessionOf(accessToken: string): Promise<LiveSession | null> {
    const token = await this.accessTokens.findOne({
      where: {
        tokenHash: hashToken(accessToken),
        expiresAt: MoreThan(new Date()),
        session: { revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      },
      relations: { session: { user: true } },
    });
    const { session } = token ?? {};
    return session?.user ? { ...session, user: session.user } : null;
  }

  private async issue(transaction: EntityManager, sessionId: string): Promise<Omit<TokenPair, 'user'>> {
    const accessToken = ACCESS_PREFIX + newToken();
    const refreshToken = REFRESH_PREFIX + newToken();
    const after = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
    await transaction
      .getRepository(AccessToken)
      .insert({ tokenHash: hashToken(accessToken), sessionId, expiresAt: after(ACCESS_TOKEN_SECONDS) });
    await transaction
      .getRepository(RefreshToken)
      .insert({ tokenHash: hashToken(refreshToken), sessionId, expiresAt: after(REFRESH_TOKEN_SECONDS), usedAt: null });
    return { accessToken, refreshToken };
  }

  private lock(transaction: EntityManager, refreshToken: string): Promise<RefreshToken | null> {
    return transaction.getRepository(RefreshToken).findOne({
      where: { tokenHash: hashToken(refreshToken) },
      lock: { mode: 'pessimistic_write' },
    });
  }

  private liveSession(transaction: EntityManager, id: string): Promise<Session | null> {
    return transaction.getRepository(Session).findOne({
      where: { id, revokedAt: IsNull(), expiresAt: MoreThan(new Date()) },
      relations: { user: true },
    });
  }
}

function expired(): AppError {
  return new AppError('AUTH_SESSION_EXPIRED', 'The token is unknown, already used or expired. Log in again.');
}
