import { Module } from '@nestjs/common';
import { ChatappAccounts } from './accounts';
import { ChatappCatalog } from './catalog';
import { ChatappCatalogService } from './catalog.service';
import { ChatappConsents } from './consents';
import { ChatappSending } from './sending';

const services = [ChatappAccounts, ChatappCatalog, ChatappCatalogService, ChatappConsents, ChatappSending];

@Module({ providers: services, exports: services })
export class ChatappCatalogModule {}
