import type { MigrationSet } from '@heliograph/database';
import { Invitation, Member } from './member.entity';
import { Users1700000000000 } from './migrations/1700000000000-users';
import { Device, LoginFailures, PasswordReset, Session } from './session.entity';
import { RecoveryCode, User } from './user.entity';

export const usersMigrations: MigrationSet = { schema: 'users', migrations: [Users1700000000000] };
export const usersEntities = [User, RecoveryCode, Member, Invitation, Session, Device, LoginFailures, PasswordReset];
