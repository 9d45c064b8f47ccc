import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeysService } from './api-keys.service';
import { KeyDirectory } from './key-directory';
import { KeyUses } from './key-uses';
import { KeyGuard } from './key.guard';
import { MeController } from './me.controller';

/** Closes every route of the service, except those marked public. */
@Module({
  controllers: [MeController],
  providers: [KeyDirectory, KeyUses, ApiKeysService, { provide: APP_GUARD, useClass: KeyGuard }],
  exports: [KeyDirectory, KeyUses, ApiKeysService],
})
export class AuthModule {}
