import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '@heliograph/service-kit';
import { EmailCatalog } from './catalog';
import { EmailCatalogService } from './catalog.service';
import { DomainChecks } from './domains/domain-checks';
import { DomainKeys } from './domains/domain-keys';
import { EMAIL_KEY_RING } from './domains/domain-secrets';
import type { EmailDomainConfig } from './domains/domains.config';
import { emailCatalogEntities } from './migration-set';
import { Suppressions } from './suppressions/suppressions';
import { TrackingSettings } from './tracking/tracking-settings';

const services = [EmailCatalog, EmailCatalogService, Suppressions, TrackingSettings, DomainChecks, DomainKeys];

const keyRing = {
  provide: EMAIL_KEY_RING,
  useFactory: ({ EMAIL_SECRETS_KEYS }: EmailDomainConfig) => EMAIL_SECRETS_KEYS,
  inject: [CONFIG],
};

/** The configuration of the service must include `EmailDomainConfig`. */
@Module({
  imports: [TypeOrmModule.forFeature(emailCatalogEntities)],
  providers: [...services, keyRing],
  exports: services,
})
export class EmailCatalogModule {}
