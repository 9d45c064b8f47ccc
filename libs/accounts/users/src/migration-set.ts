import type { MigrationSet } from '@heliograph/database';
import { Invitation, Member } from './member.entity';
import { Users1700000000000 } from './migrations/1700000000000-users';
import { InvitationMails1700000000001 } from './migrations/1700000000001-invitation-mails';
import { VerificationMailsDue1700000000008 } from './migrations/1700000000008-verification-mails-due';
import { Device, EmailVerification, PasswordReset, Session } from './sessions/session.entity';
import { AccessToken, RefreshToken } from './sessions/token.entity';
import { RecoveryCode, User } from './user.entity';

export const usersMigrations: MigrationSet = {
  schema: 'users',
  migrations: [Users1700000000000, InvitationMails1700000000001, VerificationMailsDue1700000000008],
};
export const usersEntities = [
  User,
  RecoveryCode,
  Member,
  Invitation,
  Session,
  Device,
  PasswordReset,
  EmailVerification,
  AccessToken,
  RefreshToken,
];
