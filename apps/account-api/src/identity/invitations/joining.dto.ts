import { ROLES, type Timestamp } from '@heliograph/contracts';
import type { Invitation } from '@heliograph/users';
import { IsText, IsNonBlankText, Optional } from '../../http/rules';
import { IsPassword } from '../auth/auth.dto';

export class ReceivedInvitation {
  email: string;
  role: (typeof ROLES)[number];
  organizationName: string;
  invitedBy: string;
  expiresAt: Timestamp;
  /**
   * True if an account with a verified address exists for the address. Its password is then required; otherwise a new password must be
   * chosen.
   */
  hasAccount: boolean;

  static of(invitation: Invitation, organizationName: string, hasAccount: boolean): ReceivedInvitation {
    const { email, role, invitedBy, expiresAt } = invitation;
    return { email, role, organizationName, invitedBy, expiresAt: expiresAt.toISOString(), hasAccount };
  }
}

export class OneReceivedInvitation {
  invitation: ReceivedInvitation;
}

export class JoinRequest {
  /** Name of the user. Required for a new account. */
  @Optional()
  @IsNonBlankText(200)
  name?: string;

  /** Password of the existing account, or the new password of a new account. */
  @IsPassword()
  password: string;

  /** Code from the authenticator app or a recovery code. Required if multi-factor authentication is enabled for the account. */
  @Optional()
  @IsText(100)
  code?: string;
}
