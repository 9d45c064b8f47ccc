import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { MAX_PASSWORD_LENGTH, type Session, type User } from '@heliograph/users';
import { IsFilledText, isText, IsText, MayBeAbsent, rule } from '../http/rules';

/** A password as it is typed: blanks count. */
export const IsPassword = () =>
  rule(
    'isPassword',
    `must be text of 1 to ${MAX_PASSWORD_LENGTH} characters`,
    (value) => isText(value, MAX_PASSWORD_LENGTH) && value.length > 0,
  );

export class LoginRequest {
  @ApiProperty({ example: 'ann@example.com' })
  @IsFilledText(1_000)
  email: string;

  @ApiProperty()
  @IsPassword()
  password: string;

  @ApiPropertyOptional({ description: 'Of the authenticator app, or a recovery code; for users with a second factor' })
  @MayBeAbsent()
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

export class LoggedIn {
  @ApiProperty()
  session: SessionRecord;
}

export class CurrentSession {
  @ApiProperty()
  user: UserRecord;
  @ApiProperty()
  session: SessionRecord;
  @ApiProperty({ type: SessionWorkspace, nullable: true, description: 'Null for somebody without a workspace' })
  workspace: SessionWorkspace | null;
}

export class SwitchRequest {
  @ApiPropertyOptional({ format: 'uuid', description: 'The workspace to work in from now on, and its organization' })
  @MayBeAbsent()
  @IsFilledText(100)
  workspaceId?: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'The organization, in its oldest workspace, if it has one' })
  @MayBeAbsent()
  @IsFilledText(100)
  organizationId?: string;
}

export class OpenSession extends SessionRecord {
  @ApiProperty({ description: 'Whether it is the one that asks' })
  current: boolean;
  @ApiProperty({ type: String, nullable: true })
  ipAddress: string | null;
  @ApiProperty({ type: String, nullable: true })
  userAgent: string | null;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class OpenSessions {
  @ApiProperty({ type: [OpenSession] })
  sessions: OpenSession[];
}
