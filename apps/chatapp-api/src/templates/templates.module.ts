import { Module } from '@nestjs/common';
import { ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { IdempotencyModule } from '@heliograph/idempotency';
import { OrganizationLimits } from '@heliograph/tenancy';
import { SwitchesModule } from '../switches/switches.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { TemplateSyncService } from './template-sync.service';
import { TemplatesController } from './templates.controller';
import { TemplatesRepository } from './templates.repository';
import { TemplatesService } from './templates.service';

@Module({
  imports: [ChatappCatalogModule, IdempotencyModule, SwitchesModule, UpstreamModule],
  controllers: [TemplatesController],
  providers: [OrganizationLimits, TemplatesRepository, TemplatesService, TemplateSyncService],
})
export class TemplatesModule {}
