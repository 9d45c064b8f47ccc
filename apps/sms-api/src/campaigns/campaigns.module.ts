import { Module } from '@nestjs/common';
import { CAMPAIGN_CHANNEL, CampaignsModule } from '@heliograph/campaigns';
import { TenancyModule } from '@heliograph/tenancy';
import { MessagesModule } from '../messages/messages.module';
import { V1Module } from '../v1/v1.module';
import { CampaignMessagesRepository } from './campaign-messages.repository';
import { SmsCampaignsController } from './campaigns.controller';
import { SmsCampaignChannel } from './sms-campaign-channel';

/** Campaigns over SMS. Processes with the role `worker` run them. */
@Module({
  imports: [
    CampaignsModule.forChannel(
      [{ provide: CAMPAIGN_CHANNEL, useClass: SmsCampaignChannel }, CampaignMessagesRepository],
      [MessagesModule, TenancyModule, V1Module],
    ),
  ],
  controllers: [SmsCampaignsController],
})
export class SmsCampaignsModule {}
