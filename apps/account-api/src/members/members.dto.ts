import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '@heliograph/contracts';
import type { NamedMember } from '@heliograph/users';
import { One, ListOf } from '../http/answers';
import { IsRole } from '../http/rules';

export class MemberRecord {
  @ApiProperty({ format: 'uuid' })
  userId: string;
  @ApiProperty()
  email: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty({ description: 'True if multi-factor authentication is enabled' })
  mfaEnabled: boolean;
  @ApiProperty({ format: 'date-time' })
  joinedAt: string;

  static of({ userId, role, createdAt, user }: NamedMember): MemberRecord {
    return {
      userId,
      email: user.email,
      name: user.name,
      role,
      mfaEnabled: user.totpSecret !== null,
      joinedAt: createdAt.toISOString(),
    };
  }
}

export class MemberList extends ListOf('members', MemberRecord) {}

export class OneMember extends One('member', MemberRecord) {}

export class ChangeMemberRequest {
  @ApiProperty({ enum: ROLES })
  @IsRole()
  role: Role;
}
