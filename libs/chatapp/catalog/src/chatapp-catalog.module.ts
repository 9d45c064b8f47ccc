import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatappAccounts } from './accounts/accounts';
import { ChatappCatalog } from './catalog';
import { ChatappCatalogService } from './catalog.service';
import { ConsentLimit } from './consents/consent-limit';
import { ChatappConsents } from './consents/consents';
import { chatappCatalogEntities } from './migration-set';
import { ChatappSending } from './sending';

const services = [
  ChatappAccounts,
  ChatappCatalog,
  ChatappCatalogService,
  ChatappConsents,
  ChatappSending,
  ConsentLimit,
];

@Module({
  imports: [TypeOrmModule.forFeature(chatappCatalogEntities)],
  providers: services,
  exports: services,
})
export class ChatappCatalogModule {}
