import { Module, type DynamicModule } from '@nestjs/common';
import { EmailCatalog } from './catalog';
import { EmailCatalogService } from './catalog.service';
import { DomainChecks } from './domain-checks';
import { EMAIL_DOMAIN_SETTINGS, type EmailDomainSettings } from './domains.config';
import { Suppressions } from './suppressions';
import { TrackingSettings } from './tracking-settings';

const services = [EmailCatalog, EmailCatalogService, Suppressions, TrackingSettings, DomainChecks];

@Module({})
export class EmailCatalogModule {
  static forRoot(settings: EmailDomainSettings): DynamicModule {
    return {
      module: EmailCatalogModule,
      providers: [{ provide: EMAIL_DOMAIN_SETTINGS, useValue: settings }, ...services],
      exports: services,
    };
  }
}
