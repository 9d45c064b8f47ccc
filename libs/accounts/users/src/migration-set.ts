import type { MigrationSet } from '@heliograph/database';
import { Invitation, InvitationMail, Member } from './member.entity';
import { Users1700000000000 } from './migrations/1700000000000-users';
import { InvitationMails1700000000001 } from './migrations/1700000000001-invitation-mails';
import { Device, EmailVerification, LoginFailures, PasswordReset, Session } from './session.entity';
import { AccessToken, RefreshToken } from './token.entity';
import { RecoveryCode, User } from './user.entity';

export const usersMigrations: MigrationSet = {
  schema: 'users',
  migrations: [Users1700000000000, InvitationMails1700000000001],
};
export const usersEntities = [
  User,
  RecoveryCode,
  Member,
  Invitation,
  InvitationMail,
  Session,
  Device,
  LoginFailures,
  PasswordReset,
  EmailVerification,
  AccessToken,
  RefreshToken,
];
