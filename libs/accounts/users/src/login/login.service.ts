import { hashToken, newToken } from '@heliograph/secrets';
import { Admission, networkOf } from '@heliograph/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CredentialsService, type Attempt, type Credentials, type Proof } from './credentials.service';
import { Device, type Session } from '../sessions/session.entity';
import { SessionsService } from '../sessions/sessions.service';
import type { User } from '../user.entity';

export interface Login extends Credentials, Attempt {
  /** The current session of the browser, which is ended. */
  sessionToken: string | undefined;
}

export interface OpenedSession {
  user: User;
  session: Session;
  token: string;
  /** New device token of the browser; null if the device was already known. */
  deviceToken: string | null;
}

/** Logs users in with an email address, a password and, if enabled, a second factor. */
@Injectable()
export class LoginService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly admission: Admission,
  ) {}

  /** The caller must hold no slot of the admission. Throws AUTH_INVALID_CREDENTIALS, AUTH_MFA_REQUIRED, RATE_LIMITED, SERVICE_UNAVAILABLE. */
  async login(login: Login): Promise<OpenedSession> {
    return this.authenticate(login, (transaction, proof) => this.open(transaction, proof, login));
  }

  /** Authenticates a user, then calls `open` in the same transaction to create the session or the tokens. Throws as `login`. */
  async authenticate<T>(
    credentials: Credentials & Attempt,
    open: (transaction: EntityManager, proof: Proof) => Promise<T>,
  ): Promise<T> {
    const proof = await this.credentials.prove(credentials, credentials);
    return this.admission.runRest('anonymous', networkOf(credentials.from.ipAddress), () =>
      this.dataSource.transaction(async (transaction) => {
        await this.credentials.assertCurrent(transaction, proof);
        return open(transaction, proof);
      }),
    );
  }

  /** Creates a session for an authenticated user, in the given organization or the one joined first. */
  async open(
    transaction: EntityManager,
    { user, isKnownDevice }: Proof,
    { from, sessionToken }: Pick<Login, 'from' | 'sessionToken'>,
    organizationId: string | null = null,
  ): Promise<OpenedSession> {
    // Prevents session fixation: an existing session of the browser is not reused.
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
