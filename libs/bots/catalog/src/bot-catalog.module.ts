import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BotCatalogService } from './bot-catalog.service';
import { BotContentService } from './bot-content.service';
import { BotDirectory } from './bot-directory';
import { botCatalogEntities } from './migration-set';

const services = [BotDirectory, BotCatalogService, BotContentService];

@Module({ imports: [TypeOrmModule.forFeature(botCatalogEntities)], providers: services, exports: services })
export class BotCatalogModule {}
