import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, type Role } from '@heliograph/contracts';
import type { Invitation } from '@heliograph/users';
import { IsPassword } from '../auth/auth.dto';
import { IsFilledText, IsText, MayBeAbsent } from '../http/rules';

export class ReceivedInvitation {
  @ApiProperty()
  email: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  @ApiProperty()
  organizationName: string;
  @ApiProperty()
  invitedBy: string;
  @ApiProperty({ format: 'date-time' })
  expiresAt: string;
  @ApiProperty({ description: 'Whether the password of an account is asked for, or a new one is to be chosen' })
  hasAccount: boolean;

  static of(invitation: Invitation, organizationName: string, hasAccount: boolean): ReceivedInvitation {
    const { email, role, invitedBy, expiresAt } = invitation;
    return { email, role, organizationName, invitedBy, expiresAt: expiresAt.toISOString(), hasAccount };
  }
}

export class OneReceivedInvitation {
  @ApiProperty()
  invitation: ReceivedInvitation;
}

export class JoinRequest {
  @ApiPropertyOptional({ description: 'Of somebody without an account, who needs one' })
  @MayBeAbsent()
  @IsFilledText(200)
  name?: string;

  @ApiProperty({ description: 'That of the account; without an account, a new one' })
  @IsPassword()
  password: string;

  @ApiPropertyOptional({ description: 'For an account with a second factor' })
  @MayBeAbsent()
  @IsText(100)
  code?: string;
}
