import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { DomainChecksTask } from './domain-checks.task';

@Module({ imports: [EmailCatalogModule], providers: [DomainChecksTask] })
export class DomainsModule {}
