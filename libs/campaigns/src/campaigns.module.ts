import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { TenancyModule, UnitOfWorkModule } from '@heliograph/tenancy';
import { CampaignRunner } from './running/campaign-runner';
import { CampaignSweeper } from './running/campaign-sweeper';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';
import { RunsRepository } from './running/runs.repository';

@Module({})
export class CampaignsModule {
  /** `channel` provides CAMPAIGN_CHANNEL with its own providers and what `imports` export. */
  static forChannel(channel: Provider[], imports: (Type | DynamicModule)[]): DynamicModule {
    return {
      module: CampaignsModule,
      imports: [...imports, TenancyModule, UnitOfWorkModule],
      providers: [...channel, CampaignRunner, CampaignSweeper, CampaignsRepository, CampaignsService, RunsRepository],
      exports: [CampaignsService],
    };
  }
}
