import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Catalog } from './catalog';
import { CatalogService } from './catalog.service';
import { smsCatalogEntities } from './migration-set';

@Module({
  imports: [TypeOrmModule.forFeature(smsCatalogEntities)],
  providers: [Catalog, CatalogService],
  exports: [Catalog, CatalogService],
})
export class SmsCatalogModule {}
