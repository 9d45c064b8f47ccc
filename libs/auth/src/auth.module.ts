import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeysService } from './api-keys.service';
import { KeyDirectory } from './key-directory';
import { KeyUses } from './key-uses';
import { KeyGuard } from './key.guard';
import { MeController } from './me.controller';

/** Finds and writes keys. */
@Module({
  providers: [KeyDirectory, KeyUses, ApiKeysService],
  exports: [KeyDirectory, KeyUses, ApiKeysService],
})
export class KeysModule {}

/** Closes every route of the service, except those marked public, and tells keys who they are. */
@Module({
  imports: [KeysModule],
  controllers: [MeController],
  providers: [{ provide: APP_GUARD, useClass: KeyGuard }],
  exports: [KeysModule],
})
export class AuthModule {}
