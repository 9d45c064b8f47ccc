import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { CatalogController } from './catalog.controller';

@Module({ imports: [EmailCatalogModule], controllers: [CatalogController] })
export class CatalogModule {}
