import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  IsOneOf,
  isDisplayText,
  parseScheduledAt,
  rule,
  V1ListQuery,
  V1Request,
  v1Timestamp,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import type { CampaignRecord } from '@heliograph/contracts';
import {
  CAMPAIGN_STATUSES,
  SKIP_REASONS,
  type Audience,
  type Campaign,
  type CampaignChannelName,
  type CampaignCounts,
  type CampaignStatus,
  type SendWindow,
  type SkipReason,
} from './campaign';
import { audienceFault, sendWindowFault } from './campaign-rules';

const MAX_NAME_LENGTH = 200;
const MAX_RATE = 1_000_000;

const AUDIENCE_SCHEMA = {
  type: 'object',
  description:
    'The audience consists of the contacts in `group_ids` or `contact_ids`, minus the members of excluded groups, who ' +
    'match all conditions of `filter`. If only `filter` is present, it applies to all contacts. `filter.consent` ' +
    'is the consent for the channel of the campaign',
  properties: {
    group_ids: { type: 'array', items: { type: 'string', format: 'uuid' } },
    contact_ids: { type: 'array', items: { type: 'string', format: 'uuid' } },
    exclude_group_ids: { type: 'array', items: { type: 'string', format: 'uuid' } },
    filter: {
      type: 'object',
      properties: {
        consent: { type: 'string', enum: ['unknown', 'opted_in', 'opted_out'] },
        country: { type: 'string' },
        language: { type: 'string' },
        created_after: { type: 'string', format: 'date-time' },
        created_before: { type: 'string', format: 'date-time' },
        attributes: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;
const WINDOW_SCHEMA = {
  type: 'object',
  nullable: true,
  required: ['from', 'until', 'time_zone'],
  properties: {
    from: { type: 'string', example: '09:00' },
    until: { type: 'string', example: '21:00' },
    time_zone: { type: 'string', description: '`contact`, or an IANA time zone', example: 'contact' },
  },
} as const;

/** The fields of a campaign besides the content of its messages. */
export class V1CampaignFields {
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @rule(
    'is_name',
    `name must be text of 1 to ${MAX_NAME_LENGTH} characters.`,
    (value) => isDisplayText(value, MAX_NAME_LENGTH) && value.trim() !== '',
  )
  name: string;

  @ApiProperty(AUDIENCE_SCHEMA as never)
  @rule('is_audience', (value) => audienceFault(value) ?? '', (value) => audienceFault(value) === null)
  audience: Audience;

  @ApiProperty({ ...WINDOW_SCHEMA, required: false } as never)
  @IsOptional()
  @rule('is_window', (value) => sendWindowFault(value) ?? '', (value) => sendWindowFault(value) === null)
  send_window?: Partial<SendWindow> | null;

  @ApiProperty({ required: false, nullable: true, type: 'integer', minimum: 1, maximum: MAX_RATE })
  @IsOptional()
  @rule(
    'is_rate',
    `rate_per_minute must be a whole number from 1 to ${MAX_RATE}.`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_RATE,
  )
  rate_per_minute?: number | null;

  @ApiProperty({
    type: Boolean,
    required: false,
    nullable: true,
    default: false,
    description: 'Store the campaign without starting it',
  })
  @IsOptional()
  @rule('is_draft', 'draft must be true or false.', (value) => typeof value === 'boolean')
  draft?: boolean | null;
}

/** The fields of a campaign for an estimate, which only requires the audience. */
export class V1EstimateFields extends IntersectionType(
  PickType(V1CampaignFields, ['audience']),
  PartialType(OmitType(V1CampaignFields, ['audience'])),
) {}

@V1Request()
export class V1CampaignsQuery extends V1ListQuery {
  @ApiProperty({ required: false, enum: CAMPAIGN_STATUSES })
  @IsOptional()
  @IsOneOf('status', CAMPAIGN_STATUSES)
  status?: CampaignStatus;

  @ApiProperty({ required: false, format: 'uuid' })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
}

class V1CampaignCounts implements Omit<CampaignCounts, never> {
  @ApiProperty({ type: 'integer' })
  audience: number;
  @ApiProperty({ type: 'integer', description: 'Messages accepted so far' })
  queued: number;
  @ApiProperty({ type: 'integer', description: 'Including delivered messages' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
  @ApiProperty({ type: 'integer' })
  skipped: number;
  @ApiProperty({ type: 'integer' })
  opened: number;
  @ApiProperty({ type: 'integer' })
  clicked: number;
  @ApiProperty({ type: 'integer' })
  bounced: number;
  @ApiProperty({ type: 'integer' })
  unsubscribed: number;
  @ApiProperty({
    type: 'integer',
    description: 'Accepted messages that were canceled and refunded before they were sent',
  })
  canceled: number;
}

class V1SkippedReasons implements Record<SkipReason, number> {
  @ApiProperty({ type: 'integer' })
  opted_out: number;
  @ApiProperty({ type: 'integer' })
  suppressed: number;
  @ApiProperty({ type: 'integer' })
  no_address: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Contacts with an invalid address or a missing value, or for whom the subject or the whole text would be empty',
  })
  invalid: number;
  @ApiProperty({ type: 'integer' })
  duplicate: number;
}

class V1CampaignError {
  @ApiProperty({ example: 'INSUFFICIENT_CREDITS' })
  code: string;
  @ApiProperty()
  message: string;
}

const optionalTime = { type: String, format: 'date-time', nullable: true } as const;

export class V1Campaign implements CampaignRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ enum: CAMPAIGN_STATUSES })
  status: CampaignStatus;
  @ApiProperty({ enum: ['sms', 'email'] })
  channel: CampaignChannelName;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Content of the messages, as sent when the campaign was created or last updated',
  })
  content: Record<string, unknown>;
  @ApiProperty(AUDIENCE_SCHEMA as never)
  audience: Audience;
  @ApiProperty(optionalTime)
  scheduled_at: string | null;
  @ApiProperty(WINDOW_SCHEMA as never)
  send_window: SendWindow | null;
  @ApiProperty({ type: 'integer', nullable: true })
  rate_per_minute: number | null;
  @ApiProperty()
  counts: V1CampaignCounts;
  @ApiProperty({ type: 'integer', description: 'Charges minus refunds' })
  credits_spent: number;
  @ApiProperty()
  skipped_reasons: V1SkippedReasons;
  @ApiProperty({ type: V1CampaignError, nullable: true, description: 'Reason of a pause or a failure' })
  error: V1CampaignError | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty(optionalTime)
  started_at: string | null;
  @ApiProperty({
    ...optionalTime,
    description: 'When the campaign was completed, failed or canceled and none of its messages waited any more',
  })
  finished_at: string | null;

  static of(campaign: Campaign): V1Campaign {
    const reasons = SKIP_REASONS.map((reason) => [reason, campaign.skipped[reason] ?? 0] as const);
    const skipped = reasons.reduce((sum, [, count]) => sum + count, 0);
    return {
      id: campaign.id,
      name: campaign.name,
      status: campaign.status,
      channel: campaign.channel,
      content: campaign.content,
      audience: campaign.audience,
      scheduled_at: v1Timestamp(campaign.scheduledAt),
      send_window: campaign.sendWindow,
      rate_per_minute: campaign.ratePerMinute,
      counts: { ...campaign.counts, skipped },
      credits_spent: campaign.creditsSpent,
      skipped_reasons: Object.fromEntries(reasons) as Record<SkipReason, number>,
      error: campaign.error,
      created_at: v1Timestamp(campaign.createdAt),
      started_at: v1Timestamp(campaign.startedAt),
      finished_at: v1Timestamp(campaign.finishedAt),
    };
  }
}

export class V1Campaigns {
  @ApiProperty({ type: [V1Campaign] })
  data: V1Campaign[];
  @ApiProperty({ required: false, description: 'Absent on the last page' })
  next_cursor?: string;
}

export class V1CampaignEstimate {
  @ApiProperty({ type: 'integer' })
  audience: number;
  @ApiProperty({ type: 'integer' })
  skipped: number;
  @ApiProperty({ type: 'integer', description: 'Total of all messages' })
  segments: number;
  @ApiProperty({ type: 'integer' })
  credits_cost: number;
  @ApiProperty({ type: 'integer' })
  credits_available: number;
}

/** The start of a scheduled campaign; null to start immediately. */
export function startOf(scheduledAt: string | null | undefined): string | null {
  return scheduledAt ? (parseScheduledAt(scheduledAt)?.timestamp ?? null) : null;
}
