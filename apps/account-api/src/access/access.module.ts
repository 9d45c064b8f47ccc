import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { KeysModule } from '@heliograph/auth';
import { UsersModule } from '@heliograph/users';
import { AccessGuard } from './access.guard';
import { Authenticator } from './authenticator';
import { RateLimits } from './rate-limits';

@Module({
  imports: [KeysModule, UsersModule],
  providers: [{ provide: APP_GUARD, useClass: AccessGuard }, Authenticator, RateLimits],
})
export class AccessModule {}
