export type { CampaignOwner, ComposedMessage, Recipient, SkipReason } from './campaign';
export { CAMPAIGN_CHANNEL, type CampaignChannel } from './campaign-channel';
export {
  V1Campaign,
  V1CampaignEstimate,
  V1CampaignFields,
  V1Campaigns,
  V1CampaignsQuery,
  V1EstimateFields,
} from './campaign.dto';
export { CampaignsModule } from './campaigns.module';
export { CampaignsService, type Transition } from './campaigns.service';
export { campaignsMigrations } from './migration-set';
export { parsePersonalized, personalize, type PersonalizedText } from './personalization';
