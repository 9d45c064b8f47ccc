import { Module } from '@nestjs/common';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { CatalogController } from './catalog.controller';

@Module({ imports: [SmsCatalogModule], controllers: [CatalogController] })
export class CatalogModule {}
