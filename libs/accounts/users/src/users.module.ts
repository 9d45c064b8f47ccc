import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { SecretsConfig } from '@heliograph/secrets';
import { CONFIG } from '@heliograph/service-kit';
import { CredentialsService } from './login/credentials.service';
import { InvitationsService } from './invitations/invitations.service';
import { LoginService } from './login/login.service';
import { MembersService } from './members.service';
import { MfaService } from './login/mfa.service';
import { usersEntities } from './migration-set';
import { SessionsService } from './sessions/sessions.service';
import { TokenPairsService } from './sessions/token-pairs.service';
import { UsersService } from './users.service';
import { USER_KEY_RING } from './user-secrets';

const services = [
  UsersService,
  MembersService,
  InvitationsService,
  SessionsService,
  MfaService,
  CredentialsService,
  LoginService,
  TokenPairsService,
];

const keyRing = {
  provide: USER_KEY_RING,
  useFactory: ({ SECRETS_KEYS }: SecretsConfig) => SECRETS_KEYS,
  inject: [CONFIG],
};

/** The configuration of the service must include `SecretsConfig`. */
@Module({
  imports: [TypeOrmModule.forFeature(usersEntities)],
  providers: [...services, keyRing],
  exports: services,
})
export class UsersModule {}
