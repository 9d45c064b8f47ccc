import { Module } from '@nestjs/common';
import { CAMPAIGN_CHANNEL, CampaignsModule } from '@heliograph/campaigns';
import { TenancyModule } from '@heliograph/tenancy';
import { MessagesModule } from '../messages/messages.module';
import { V1Module } from '../v1/v1.module';
import { CampaignEmailsRepository } from './campaign-emails.repository';
import { EmailCampaignsController } from './campaigns.controller';
import { EmailCampaignChannel } from './email-campaign-channel';

/** Campaigns by email. Processes with the role `worker` run them. */
@Module({
  imports: [
    CampaignsModule.forChannel(
      [{ provide: CAMPAIGN_CHANNEL, useClass: EmailCampaignChannel }, CampaignEmailsRepository],
      [MessagesModule, TenancyModule, V1Module],
    ),
  ],
  controllers: [EmailCampaignsController],
})
export class EmailCampaignsModule {}
