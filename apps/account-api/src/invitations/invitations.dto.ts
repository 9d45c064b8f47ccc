import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, type Role } from '@heliograph/contracts';
import type { Invitation } from '@heliograph/users';
import { One, ListOf } from '../http/answers';
import { IsNonBlankText, Optional, IsRole } from '../http/rules';

const INVITATION_STATUSES = ['open', 'expired', 'accepted', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export class InvitationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  email: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty({ enum: INVITATION_STATUSES })
  status: InvitationStatus;
  @ApiProperty({ description: 'Email address of a user, or name of an API key' })
  invitedBy: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

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
  @ApiProperty({ example: 'ann@example.com' })
  @IsNonBlankText(1_000)
  email: string;

  @ApiPropertyOptional({ enum: ROLES, default: 'member' })
  @Optional()
  @IsRole()
  role: Role = 'member';
}
