export { readUserAddress } from './email-address';
export { CredentialsService, type Attempt, type Proof } from './login/credentials.service';
export { InvitationsService } from './invitations/invitations.service';
export { LoginService, type Login, type OpenedSession } from './login/login.service';
export { Invitation, Member } from './member.entity';
export { MembersService, ownerEmails, type NamedMember } from './members.service';
export { MfaService } from './login/mfa.service';
export { usersEntities, usersMigrations } from './migration-set';
export { hashNewPassword, MAX_PASSWORD_LENGTH, verifyPassword } from './login/passwords';
export { Session } from './sessions/session.entity';
export { DEVICE_DAYS, SESSION_DAYS, SessionsService, type LiveSession, type Origin } from './sessions/sessions.service';
export {
  ACCESS_TOKEN_SECONDS,
  isAccessToken,
  REFRESH_TOKEN_SECONDS,
  TokenPairsService,
  type TokenPair,
} from './sessions/token-pairs.service';
export { totpUri } from './login/totp';
export { User } from './user.entity';
export { PENDING_TOTP_SECRET, TOTP_SECRET } from './user-secrets';
export { UsersModule } from './users.module';
export {
  composeUser,
  emailNotVerified,
  UsersService,
  type AddressProof,
  type Discarded,
  type StartedVerification,
} from './users.service';
