import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { auditEntities } from '@heliograph/audit';
import { TenancyModule } from '@heliograph/tenancy';
import { CampaignRunner } from './campaign-runner';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { RunsRepository } from './runs.repository';

@Module({})
export class CampaignsModule {
  /** `channel` provides CAMPAIGN_CHANNEL with what `imports` export. */
  static forChannel(channel: Provider, imports: (Type | DynamicModule)[]): DynamicModule {
    return {
      module: CampaignsModule,
      imports: [...imports, TenancyModule, TypeOrmModule.forFeature(auditEntities)],
      providers: [channel, CampaignRunner, CampaignsRepository, CampaignsService, RunsRepository],
      exports: [CampaignsService],
    };
  }
}
