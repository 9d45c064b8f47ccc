import type { Timestamp, Uuid } from '@heliograph/contracts';
import type { Workspace } from '@heliograph/tenancy';
import { MAX_PASSWORD_LENGTH, type LiveSession, type Session, type User } from '@heliograph/users';
import { isStorableText, rule } from '@heliograph/service-kit';
import { IsText, IsNonBlankText, Optional } from '../../http/rules';
import { One } from '../../http/answers';

/** A password. It is not trimmed, because spaces are significant. */
export const IsPassword = () =>
  rule(
    'isPassword',
    `must be a string of 1 to ${MAX_PASSWORD_LENGTH} characters`,
    (value) => isStorableText(value, MAX_PASSWORD_LENGTH) && value.length > 0,
  );

export class LoginRequest {
  /** @example ann@example.com */
  @IsNonBlankText(1_000)
  email: string;

  @IsPassword()
  password: string;

  /** Code from the authenticator app or a recovery code; required if multi-factor authentication is enabled. */
  @Optional()
  @IsText(100)
  code?: string;
}

export class SessionRecord {
  id: Uuid;
  userId: Uuid;
  expiresAt: Timestamp;

  static of({ id, userId, expiresAt }: Session): SessionRecord {
    return { id, userId, expiresAt: expiresAt.toISOString() };
  }
}

export class UserRecord {
  id: Uuid;
  email: string;
  name: string;

  static of({ id, email, name }: User): UserRecord {
    return { id, email, name };
  }
}

export class SessionWorkspace {
  id: Uuid;
  slug: string;
  plan: string;

  static of({ id, slug, plan }: Workspace): SessionWorkspace {
    return { id, slug, plan };
  }
}

export class LoggedIn extends One('session', SessionRecord) {}

export class CurrentSession {
  user: UserRecord;
  session: SessionRecord;
  /** Current workspace; `null` if the user has no workspace. */
  workspace: SessionWorkspace | null;

  static of(session: LiveSession, workspace: Workspace | null): CurrentSession {
    return {
      user: UserRecord.of(session.user),
      session: SessionRecord.of(session),
      workspace: workspace && SessionWorkspace.of(workspace),
    };
  }
}

export class SwitchRequest {
  /** Workspace to switch to. Its organization becomes the current organization. */
  @Optional()
  @IsNonBlankText(100)
  workspaceId?: Uuid;
  /** Organization to switch to. Its oldest workspace becomes the current workspace. */
  @Optional()
  @IsNonBlankText(100)
  organizationId?: Uuid;
}

export class OpenSession extends SessionRecord {
  /** True if this is the session of the request. */
  current: boolean;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Timestamp;

  /** `currentId` is the session of the request. */
  static override of(session: Session, currentId?: string): OpenSession {
    const { ipAddress, userAgent } = session;
    return {
      ...SessionRecord.of(session),
      current: session.id === currentId,
      ipAddress,
      userAgent,
      createdAt: session.createdAt.toISOString(),
    };
  }
}

export class OpenSessions {
  sessions: OpenSession[];
}
