import { availableParallelism } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CredentialsService, type Attempt, type Credentials, type Proof } from './credentials.service';
import { Device, type Session } from './session.entity';
import { SessionsService } from './sessions.service';
import { hashToken, newToken } from './tokens';
import { Turns } from './turns';
import type { User } from './user.entity';

export interface Login extends Credentials, Attempt {
  /** The session that the browser has so far: it ends. */
  sessionToken: string | undefined;
}

export interface OpenedSession {
  user: User;
  session: Session;
  token: string;
  /** By which this browser is known from now on; null when it was known. */
  deviceToken: string | null;
}

/** From an address and a password, and a code where the user has a second factor, to a session. */
@Injectable()
export class LoginService {
  /**
   * No more than keep the hashing busy: the look-ups and writes of fifty logins at once would come in one heap, and
   * hold up every other call of the process.
   */
  private readonly turns = new Turns(availableParallelism(), 1_000, 'a login');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
  ) {}

  /** Throws AUTH_INVALID_CREDENTIALS, AUTH_MFA_REQUIRED, RATE_LIMITED, SERVICE_UNAVAILABLE. */
  async login(login: Login): Promise<OpenedSession> {
    return this.turns.take(async () => {
      const proof = await this.credentials.prove(login, login);
      return this.dataSource.transaction((transaction) => this.open(transaction, proof, login));
    });
  }

  /** A session for whoever has proved who it is. It works in the given organization, else in the one joined first. */
  async open(
    transaction: EntityManager,
    { user, isKnownDevice }: Proof,
    { from, sessionToken }: Pick<Login, 'from' | 'sessionToken'>,
    organizationId: string | null = null,
  ): Promise<OpenedSession> {
    // A session that somebody planted in the browser, or left there, is not carried on.
    if (sessionToken !== undefined) await this.sessions.revokeToken(transaction, sessionToken);
    const deviceToken = isKnownDevice ? null : newToken();
    if (deviceToken !== null) {
      await transaction
        .getRepository(Device)
        .insert({ tokenHash: hashToken(deviceToken), userId: user.id, createdAt: new Date() });
    }
    const { session, token } = await this.sessions.open(transaction, user, from, organizationId);
    return { user, session, token, deviceToken };
  }
}
