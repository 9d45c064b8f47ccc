import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Organization } from '@heliograph/tenancy';
import { ApiKeysService } from './api-keys.service';
import { KeyDirectory } from './key-directory';
import { KeyUses } from './key-uses';
import { KeyGuard } from './key.guard';
import { MeController } from './me.controller';
import { RequestLogModule } from './request-log/request-log.module';
import { authEntities } from './migration-set';
import { UserDirectory } from './user-directory';

/** Reads and manages API keys, and logs their calls. */
@Module({
  imports: [RequestLogModule, TypeOrmModule.forFeature([...authEntities, Organization])],
  providers: [KeyDirectory, KeyUses, ApiKeysService],
  exports: [KeyDirectory, KeyUses, ApiKeysService, RequestLogModule],
})
export class KeysModule {}

/** Requires an API key, an access token or a session on every route of the service except public ones, and serves `GET /api/me`. */
@Module({
  imports: [KeysModule],
  controllers: [MeController],
  providers: [{ provide: APP_GUARD, useClass: KeyGuard }, UserDirectory],
  exports: [KeysModule],
})
export class AuthModule {}
