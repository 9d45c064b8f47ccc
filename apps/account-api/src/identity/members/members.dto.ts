import { ROLES, type Timestamp, type Uuid } from '@heliograph/contracts';
import type { NamedMember } from '@heliograph/users';
import { One, ListOf } from '../../http/answers';
import { IsRole } from '../../http/rules';

export class MemberRecord {
  userId: Uuid;
  email: string;
  name: string;
  role: (typeof ROLES)[number];
  /** True if multi-factor authentication is enabled. */
  mfaEnabled: boolean;
  joinedAt: Timestamp;

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
  @IsRole()
  role: (typeof ROLES)[number];
}
