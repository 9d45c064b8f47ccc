export type { CampaignOwner, ComposedMessage, QueuedAgain, Recipient, SkipReason, WaitingMessage } from './campaign';
export { CAMPAIGN_CHANNEL, type CampaignChannel } from './campaign-channel';
export { V1Campaign, V1CampaignEstimate, V1CampaignFields, V1EstimateFields } from './campaign.dto';
export { CampaignRoutes } from './campaign-routes';
export { CampaignsModule } from './campaigns.module';
export { CampaignsService } from './campaigns.service';
export { campaignsMigrations } from './migration-set';
export { constantText, parsePersonalized, personalize, type PersonalizedText } from './running/personalization';
