import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsService } from './credentials.service';
import { InvitationsService } from './invitations.service';
import { LoginService } from './login.service';
import { MembersService } from './members.service';
import { MfaService } from './mfa.service';
import { usersEntities } from './migration-set';
import { SessionsService } from './sessions.service';
import { UsersService } from './users.service';

const services = [
  UsersService,
  MembersService,
  InvitationsService,
  SessionsService,
  MfaService,
  CredentialsService,
  LoginService,
];

@Module({ imports: [TypeOrmModule.forFeature(usersEntities)], providers: services, exports: services })
export class UsersModule {}
