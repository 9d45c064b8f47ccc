import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeysModule } from '@heliograph/auth';
import { Workspace } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { TestOrganizationsModule } from '../test-mode/test-organizations.module';
import { AccessGuard } from './access.guard';
import { Authenticator } from './authenticator';
import { RateLimits } from './rate-limits';

@Module({
  imports: [TypeOrmModule.forFeature([Workspace]), KeysModule, UsersModule, TestOrganizationsModule],
  providers: [{ provide: APP_GUARD, useClass: AccessGuard }, Authenticator, RateLimits],
  exports: [Authenticator, RateLimits],
})
export class AccessModule {}
