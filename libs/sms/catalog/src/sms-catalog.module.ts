import { Module } from '@nestjs/common';
import { Catalog } from './catalog';
import { CatalogService } from './catalog.service';

@Module({ providers: [Catalog, CatalogService], exports: [Catalog, CatalogService] })
export class SmsCatalogModule {}
