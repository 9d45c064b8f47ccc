import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmailCatalog } from './catalog';
import { EmailCatalogService } from './catalog.service';
import { DomainChecks } from './domain-checks';
import { emailCatalogEntities } from './migration-set';
import { Suppressions } from './suppressions';
import { TrackingSettings } from './tracking-settings';

const services = [EmailCatalog, EmailCatalogService, Suppressions, TrackingSettings, DomainChecks];

/** The configuration of the service must include `EmailDomainConfig`. */
@Module({ imports: [TypeOrmModule.forFeature(emailCatalogEntities)], providers: services, exports: services })
export class EmailCatalogModule {}
