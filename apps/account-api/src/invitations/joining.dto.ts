import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ROLES, type Role } from '@heliograph/contracts';
import type { Invitation } from '@heliograph/users';
import { IsText, IsNonBlankText, Optional } from '../http/rules';
import { IsPassword } from '../auth/auth.dto';

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
  @ApiProperty({
    description:
      'True if an account with a verified address exists for the address. Its password is then required; otherwise a new password must be chosen.',
  })
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
  @ApiPropertyOptional({ description: 'Name of the user. Required for a new account' })
  @Optional()
  @IsNonBlankText(200)
  name?: string;

  @ApiProperty({ description: 'Password of the existing account, or the new password of a new account' })
  @IsPassword()
  password: string;

  @ApiPropertyOptional({
    description:
      'Code from the authenticator app or a recovery code. Required if multi-factor authentication is enabled for the account',
  })
  @Optional()
  @IsText(100)
  code?: string;
}
