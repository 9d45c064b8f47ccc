import { ROLES, type Timestamp, type Uuid } from '@heliograph/contracts';
import type { Invitation } from '@heliograph/users';
import { One, ListOf } from '../../http/answers';
import { IsNonBlankText, Optional, IsRole } from '../../http/rules';
export type InvitationStatus = 'open' | 'expired' | 'accepted' | 'revoked';

export class InvitationRecord {
  id: Uuid;
  email: string;
  role: (typeof ROLES)[number];
  status: 'open' | 'expired' | 'accepted' | 'revoked';
  /** Email address of a user, or name of an API key. */
  invitedBy: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;

  static of(invitation: Invitation): InvitationRecord {
    const { id, email, role, invitedBy, createdAt, expiresAt } = invitation;
    return {
      id,
      email,
      role,
      status: statusOf(invitation),
      invitedBy,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}

function statusOf({ acceptedAt, revokedAt, expiresAt }: Invitation): InvitationStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt > new Date() ? 'open' : 'expired';
}

export class InvitationList extends ListOf('invitations', InvitationRecord) {}

export class OneInvitation extends One('invitation', InvitationRecord) {}

export class InviteRequest {
  /** @example ann@example.com */
  @IsNonBlankText(1_000)
  email: string;

  /** @default member */
  @Optional()
  @IsRole()
  role: (typeof ROLES)[number] = 'member';
}
