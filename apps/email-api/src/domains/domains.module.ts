import { Module } from '@nestjs/common';
import { EmailCatalogModule } from '@heliograph/email-catalog';
import { DomainChecksTask } from './domain-checks.task';
import { DomainKeysTask } from './domain-keys.task';

@Module({ imports: [EmailCatalogModule], providers: [DomainChecksTask, DomainKeysTask] })
export class DomainsModule {}
