import type { AttributeValue, Consent, Contact } from '@heliograph/contacts';

export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'completed',
  'canceled',
  'failed',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export const SKIP_REASONS = ['opted_out', 'suppressed', 'no_address', 'invalid', 'duplicate'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export type Skipped = Partial<Record<SkipReason, number>>;

export type CampaignChannelName = 'sms' | 'email';

/** The contacts in the groups or the list, minus the members of excluded groups, who match all conditions of the filter. */
export interface Audience {
  group_ids?: string[];
  contact_ids?: string[];
  exclude_group_ids?: string[];
  filter?: AudienceFilter;
}

export interface AudienceFilter {
  /** The consent for the channel of the campaign. */
  consent?: Consent;
  country?: string;
  language?: string;
  created_after?: string;
  created_before?: string;
  attributes?: Record<string, AttributeValue>;
}

/** The hours in which messages are sent, as HH:MM. `until` before `from` includes midnight. */
export interface SendWindow {
  from: string;
  until: string;
  /** `contact`, or a name of the IANA time zone database. */
  time_zone: string;
}

/** The settings of a campaign that the caller chooses. */
export interface CampaignPlan {
  name: string;
  /** The content fields of a send, as the caller sent them. */
  content: Record<string, unknown>;
  audience: Audience;
  /** RFC 3339 */
  scheduledAt: string | null;
  sendWindow: SendWindow | null;
  ratePerMinute: number | null;
}

/** The organization, the workspace that pays, and the creator. */
export interface CampaignOwner {
  organizationId: string;
  workspaceId: string;
  /** The API key that created the campaign; null for a user. */
  keyId: string | null;
}

export interface CampaignCounts {
  audience: number;
  queued: number;
  sent: number;
  delivered: number;
  failed: number;
  opened: number;
  clicked: number;
  bounced: number;
  unsubscribed: number;
  canceled: number;
}

export interface Campaign extends Omit<CampaignPlan, 'scheduledAt'>, CampaignOwner {
  id: string;
  channel: CampaignChannelName;
  status: CampaignStatus;
  /** Cumulative: `sent` includes what was delivered. */
  counts: CampaignCounts;
  skipped: Skipped;
  creditsSpent: number;
  /** Why the campaign is paused or failed. */
  error: { code: string; message: string } | null;
  scheduledAt: Date | null;
  /** When the next message may be sent. */
  dueAt: Date;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The position of `CampaignSweeper`; null if it has nothing to do. */
  sweptTo: string | null;
  /** Id of the last stored contact while the audience is being stored; null before and afterwards. */
  audienceTo: string | null;
}

/** A message that was accepted and has not left. */
export interface WaitingMessage {
  id: string;
  address: string;
}

/** A message that is queued again at a time. */
export interface QueuedAgain {
  id: string;
  dueAt: Date;
}

/** The message to one contact, or the reason why there is none. */
export type ComposedMessage<Row> =
  { kind: 'message'; row: Row; credits: number; segments: number } | { kind: 'skipped'; reason: SkipReason };

/** A contact with the fields that the channel needs. `variables` are the fields for personalization. */
export interface Recipient {
  contact: Contact;
  variables: Record<string, unknown>;
}
