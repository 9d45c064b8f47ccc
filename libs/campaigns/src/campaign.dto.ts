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
import type { CampaignRecord, Integer, Timestamp, Uuid } from '@heliograph/contracts';
import {
  CAMPAIGN_STATUSES,
  SKIP_REASONS,
  type Audience,
  type Campaign,
  type CampaignChannelName,
  type CampaignCounts,
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

  @ApiProperty({ minimum: 1, maximum: MAX_RATE })
  @IsOptional()
  @rule(
    'is_rate',
    `rate_per_minute must be a whole number from 1 to ${MAX_RATE}.`,
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_RATE,
  )
  rate_per_minute?: Integer | null;

  /**
   * Store the campaign without starting it.
   * @default false
   */
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
  @IsOptional()
  @IsOneOf('status', CAMPAIGN_STATUSES)
  status?: (typeof CAMPAIGN_STATUSES)[number];

  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

class V1CampaignCounts implements Omit<CampaignCounts, never> {
  audience: Integer;
  /** Messages accepted so far. */
  queued: Integer;
  /** Including delivered messages. */
  sent: Integer;
  delivered: Integer;
  failed: Integer;
  skipped: Integer;
  opened: Integer;
  clicked: Integer;
  bounced: Integer;
  unsubscribed: Integer;
  /** Accepted messages that were canceled and refunded before they were sent. */
  canceled: Integer;
}

class V1SkippedReasons implements Record<SkipReason, number> {
  opted_out: Integer;
  suppressed: Integer;
  no_address: Integer;
  /** Contacts with an invalid address or a missing value, or for whom the subject or the whole text would be empty. */
  invalid: Integer;
  duplicate: Integer;
}

class V1CampaignError {
  /** @example INSUFFICIENT_CREDITS */
  code: string;
  message: string;
}

export class V1Campaign implements CampaignRecord {
  id: Uuid;
  name: string;
  status: (typeof CAMPAIGN_STATUSES)[number];
  @ApiProperty({ enum: ['sms', 'email'] })
  channel: CampaignChannelName;
  /** Content of the messages, as sent when the campaign was created or last updated. */
  content: Record<string, unknown>;
  @ApiProperty(AUDIENCE_SCHEMA as never)
  audience: Audience;
  scheduled_at: Timestamp | null;
  @ApiProperty(WINDOW_SCHEMA as never)
  send_window: SendWindow | null;
  rate_per_minute: Integer | null;
  counts: V1CampaignCounts;
  /** Charges minus refunds. */
  credits_spent: Integer;
  skipped_reasons: V1SkippedReasons;
  /** Reason of a pause or a failure. */
  error: V1CampaignError | null;
  created_at: Timestamp;
  started_at: Timestamp | null;
  /** When the campaign was completed, failed or canceled and none of its messages waited any more. */
  finished_at: Timestamp | null;

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
  data: V1Campaign[];
  /** Absent on the last page. */
  next_cursor?: string;
}

export class V1CampaignEstimate {
  audience: Integer;
  skipped: Integer;
  /** Total of all messages. */
  segments: Integer;
  credits_cost: Integer;
  credits_available: Integer;
}

/** The start of a scheduled campaign; null to start immediately. */
export function startOf(scheduledAt: string | null | undefined): string | null {
  return scheduledAt ? (parseScheduledAt(scheduledAt)?.timestamp ?? null) : null;
}
