import { Module } from '@nestjs/common';
import { BotCatalogService } from './bot-catalog.service';
import { BotContentService } from './bot-content.service';
import { BotDirectory } from './bot-directory';

const services = [BotDirectory, BotCatalogService, BotContentService];

@Module({ providers: services, exports: services })
export class BotCatalogModule {}
