import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { MAX_PASSWORD_LENGTH, type LiveSession, type Session, type User } from '@heliograph/users';
import { isStorableText, rule } from '@heliograph/service-kit';
import { optionalText } from '../http/schemas';
import { IsText, IsNonBlankText, Optional } from '../http/rules';
import { One } from '../http/answers';

/** A password. It is not trimmed, because spaces are significant. */
export const IsPassword = () =>
  rule(
    'isPassword',
    `must be a string of 1 to ${MAX_PASSWORD_LENGTH} characters`,
    (value) => isStorableText(value, MAX_PASSWORD_LENGTH) && value.length > 0,
  );

export class LoginRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsNonBlankText(1_000)
  email: string;

  @ApiProperty()
  @IsPassword()
  password: string;

  @ApiPropertyOptional({
    description:
      'Code from the authenticator app or a recovery code; required if multi-factor authentication is enabled',
  })
  @Optional()
  @IsText(100)
  code?: string;
}

export class SessionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  userId: string;
  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  static of({ id, userId, expiresAt }: Session): SessionRecord {
    return { id, userId, expiresAt: expiresAt.toISOString() };
  }
}

export class UserRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  email: string;
  @ApiProperty()
  name: string;

  static of({ id, email, name }: User): UserRecord {
    return { id, email, name };
  }
}

export class SessionWorkspace {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  slug: string;
  @ApiProperty()
  plan: string;

  static of({ id, slug, plan }: Workspace): SessionWorkspace {
    return { id, slug, plan };
  }
}

export class LoggedIn extends One('session', SessionRecord) {}

export class CurrentSession {
  @ApiProperty()
  user: UserRecord;
  @ApiProperty()
  session: SessionRecord;
  @ApiProperty({
    type: SessionWorkspace,
    nullable: true,
    description: 'Current workspace; `null` if the user has no workspace',
  })
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
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Workspace to switch to. Its organization becomes the current organization',
  })
  @Optional()
  @IsNonBlankText(100)
  workspaceId?: string;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Organization to switch to. Its oldest workspace becomes the current workspace',
  })
  @Optional()
  @IsNonBlankText(100)
  organizationId?: string;
}

export class OpenSession extends SessionRecord {
  @ApiProperty({ description: 'True if this is the session of the request' })
  current: boolean;
  @ApiProperty(optionalText)
  ipAddress: string | null;
  @ApiProperty(optionalText)
  userAgent: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

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
  @ApiProperty({ type: [OpenSession] })
  sessions: OpenSession[];
}
