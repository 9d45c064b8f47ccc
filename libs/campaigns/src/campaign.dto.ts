import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import {
  CONSENTS,
  isAttributeName,
  isAttributeValue,
  readContactField,
  type AttributeValue,
} from '@heliograph/contacts';
import { isId } from '@heliograph/database';
import {
  IsInstant,
  IsOneOf,
  isDisplayText,
  isJsonObject,
  parseScheduledAt,
  rule,
  V1ListQuery,
  V1Request,
  v1Timestamp,
  IsWorkspaceId,
  type RuleContext,
} from '@heliograph/service-kit';
import type { CampaignRecord, Integer, Timestamp, Uuid } from '@heliograph/contracts';
import {
  CAMPAIGN_STATUSES,
  SKIP_REASONS,
  type Audience,
  type AudienceFilter,
  type Campaign,
  type CampaignChannelName,
  type CampaignCounts,
  type SendWindow,
  type SkipReason,
} from './campaign';

const MAX_NAME_LENGTH = 200;
const MAX_RATE = 1_000_000;
const MAX_GROUPS = 100;
const MAX_CONTACTS = 10_000;
const MAX_ATTRIBUTES = 50;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const AUDIENCE =
  'The audience consists of the contacts in `group_ids` or `contact_ids`, minus the members of excluded groups, who ' +
  'match all conditions of `filter`. If only `filter` is present, it applies to all contacts. `filter.consent` ' +
  'is the consent for the channel of the campaign';

const IsAttributeMap = () =>
  rule(
    'is_attributes',
    '$property must be an object of texts, numbers or booleans by name.',
    (value) =>
      isJsonObject(value) &&
      Object.keys(value).length <= MAX_ATTRIBUTES &&
      Object.entries(value).every(([name, one]) => isAttributeName(name) && isAttributeValue(one)),
  );
const IsTime = () =>
  rule('is_time', '$property must be a time such as 09:00.', (value) => typeof value === 'string' && TIME.test(value));
const AreIds = (most: number) =>
  rule(
    'are_ids',
    `$property must be a list of at most ${most} ids.`,
    (value) => Array.isArray(value) && value.length <= most && value.every(isId),
  );

export class V1AudienceFilter implements AudienceFilter {
  @IsOptional()
  @IsOneOf('$property', CONSENTS)
  consent?: (typeof CONSENTS)[number];

  @IsOptional()
  @rule(
    'is_country',
    '$property must be an ISO 3166-1 alpha-2 code such as IN.',
    (value) => readContactField('country', value) !== null,
  )
  country?: string;

  @IsOptional()
  @rule(
    'is_language',
    '$property must be a language tag such as en.',
    (value) => readContactField('language', value) !== null,
  )
  language?: string;

  @IsOptional()
  @IsInstant('$property')
  created_after?: Timestamp;

  @IsOptional()
  @IsInstant('$property')
  created_before?: Timestamp;

  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsAttributeMap()
  attributes?: Record<string, AttributeValue>;
}

export class V1Audience implements Audience {
  @ApiProperty({ format: 'uuid' })
  @IsOptional()
  @AreIds(MAX_GROUPS)
  group_ids?: string[];

  @ApiProperty({ format: 'uuid' })
  @IsOptional()
  @AreIds(MAX_CONTACTS)
  contact_ids?: string[];

  @ApiProperty({ format: 'uuid' })
  @IsOptional()
  @AreIds(MAX_GROUPS)
  exclude_group_ids?: string[];

  @IsOptional()
  @ValidateNested({ message: '$property must be an object.' })
  @Type(() => V1AudienceFilter)
  filter?: V1AudienceFilter;
}

/** The hours in which messages are sent. */
export class V1SendWindow {
  /** @example "09:00" */
  @IsTime()
  from: string;

  /** @example "21:00" */
  @IsTime()
  until: string;

  /**
   * `contact`, or an IANA time zone.
   * @example contact
   */
  @IsOptional()
  @rule(
    'is_zone',
    '$property must be "contact" or an IANA time zone such as Asia/Kolkata.',
    (value) => value === 'contact' || readContactField('timeZone', value) !== null,
  )
  time_zone?: string;
}

class V1StoredSendWindow extends V1SendWindow implements SendWindow {
  override time_zone: string;
}

/** The fields of a campaign besides the content of its messages. */
export class V1CampaignFields {
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @rule(
    'is_name',
    `name must be text of 1 to ${MAX_NAME_LENGTH} characters.`,
    (value) => isDisplayText(value, MAX_NAME_LENGTH) && value.trim() !== '',
  )
  name: string;

  @ApiProperty({ description: AUDIENCE })
  @rule(
    'is_named',
    'audience must have group_ids, contact_ids or filter.',
    (value) => !(value instanceof V1Audience) || [value.group_ids, value.contact_ids, value.filter].some(isGiven),
  )
  @ValidateNested({ message: 'audience must be an object with group_ids, contact_ids or filter.' })
  @Type(() => V1Audience)
  audience: V1Audience;

  @IsOptional()
  @ValidateNested({
    message: 'send_window must be an object with from, until and time_zone.',
    context: { isWhole: true } satisfies RuleContext,
  })
  @Type(() => V1SendWindow)
  send_window?: V1SendWindow | null;

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
  @ApiProperty({ description: AUDIENCE })
  audience: V1Audience;
  scheduled_at: Timestamp | null;
  send_window: V1StoredSendWindow | null;
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

function isGiven(part: unknown): boolean {
  return part !== undefined && part !== null && !(Array.isArray(part) && part.length === 0);
}
