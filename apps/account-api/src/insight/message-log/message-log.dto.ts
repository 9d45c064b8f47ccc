import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  IsInstant,
  IsOneOf,
  isStorableText,
  IsWorkspaceId,
  rule,
  V1ListQuery,
  V1Request,
} from '@heliograph/service-kit';

export const LOG_CHANNELS = ['sms', 'email', 'chatapp'] as const;
export type LogChannel = (typeof LOG_CHANNELS)[number];

export const LOG_STATUSES = [
  'scheduled',
  'queued',
  'accepted',
  'sent',
  'delivered',
  'read',
  'bounced',
  'failed',
  'skipped',
  'canceled',
  'received',
] as const;
export type LogStatus = (typeof LOG_STATUSES)[number];

export const LOG_DIRECTIONS = ['outbound', 'inbound'] as const;
export type LogDirection = (typeof LOG_DIRECTIONS)[number];

const MAX_TEXT = 320;

const IsFilter = (field: string): PropertyDecorator =>
  rule(
    'isFilter',
    `${field} must be a text of 1 to ${MAX_TEXT} characters without NUL.`,
    (value) => isStorableText(value, MAX_TEXT) && value !== '',
  );

/** The filters of the message log. */
@V1Request()
export class V1MessageLogQuery extends V1ListQuery {
  /** Returns messages of this channel. */
  @ApiProperty({ enum: LOG_CHANNELS })
  @IsOptional()
  @IsOneOf('channel', LOG_CHANNELS)
  channel?: LogChannel;

  /** Returns messages with this status. Not every channel has every status. */
  @ApiProperty({ enum: LOG_STATUSES })
  @IsOptional()
  @IsOneOf('status', LOG_STATUSES)
  status?: LogStatus;

  /** Returns messages that were sent (`outbound`) or received (`inbound`). */
  @ApiProperty({ enum: LOG_DIRECTIONS })
  @IsOptional()
  @IsOneOf('direction', LOG_DIRECTIONS)
  direction?: LogDirection;

  /**
   * Returns messages to this phone number in E.164 format, or to this email address.
   * @example +919876543210
   */
  @IsOptional()
  @IsFilter('to')
  to?: string;

  /**
   * Returns messages from this SMS sender (header), email address or chat-app number.
   * @example DEMOIN
   */
  @IsOptional()
  @IsFilter('sender')
  sender?: string;

  /**
   * Returns messages of this template: the id of an SMS or email template, or the name of a chat-app template.
   * @example order_update
   */
  @IsOptional()
  @IsFilter('template')
  template?: string;

  /** Returns messages of this campaign. */
  @IsOptional()
  @rule('isCampaignId', 'campaign_id must be a UUID.', isId)
  campaign_id?: Uuid;

  /**
   * Returns messages with this reference of your own.
   * @example order-1001
   */
  @IsOptional()
  @IsFilter('reference')
  reference?: string;

  /** Returns messages created at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;

  /** Returns messages created before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;

  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

/** A message of any channel, with the fields that all channels have. */
export class V1LoggedMessage {
  id: Uuid;
  @ApiProperty({ enum: LOG_CHANNELS })
  channel: LogChannel;
  @ApiProperty({ enum: LOG_DIRECTIONS })
  direction: LogDirection;
  @ApiProperty({ enum: LOG_STATUSES })
  status: LogStatus;
  workspace_id: Uuid | null;
  /**
   * The recipients: a phone number, or the email addresses of `to`, `cc` and `bcc`. At most 10 are listed.
   * @example ["+919876543210"]
   */
  to: string[];
  /**
   * Number of recipients.
   * @example 1
   */
  recipients: Integer;
  /**
   * The SMS sender (header), the email address or the chat-app number that the message is from.
   * @example DEMOIN
   */
  sender: string;
  /**
   * The beginning of the text of an SMS or of a received chat-app message, or the subject of an email. `null` if it is not stored,
   * such as for sent chat-app messages.
   * @example Your code is 123456.
   */
  preview: string | null;
  /** The template of an SMS or email; `null` for none. */
  template_id: Uuid | null;
  /**
   * The template of a chat-app message; `null` for none.
   * @example order_update
   */
  template_name: string | null;
  campaign_id: Uuid | null;
  /** @example order-1001 */
  reference: string | null;
  /**
   * Credits that an SMS or email cost; `null` for chat-app messages, which have a price.
   * @example 1
   */
  credits_cost: Integer | null;
  /**
   * Price of a chat-app message in the smallest unit of `currency`; `null` for other channels and free messages.
   * @example 40
   */
  price: Integer | null;
  /** @example INR */
  currency: string | null;
  /**
   * Why the message failed; `null` if it did not. An email has the error of each recipient in its details.
   * @example The carrier refused the message.
   */
  error: string | null;
  scheduled_at: Timestamp | null;
  created_at: Timestamp;
}

export class V1LoggedMessages {
  data: V1LoggedMessage[];
  /**
   * Cursor of the next page; absent on the last page. With filters, a page can have fewer messages than `limit`, also none, and still
   * not be the last one.
   */
  next_cursor?: string;
}

export class V1LoggedRecipient {
  /** @example ann@example.com */
  to: string;
  /** @example to */
  kind: string;
  /** @example delivered */
  status: string;
  /** @example 550 5.1.1 no such user */
  error: string | null;
}

/** A send with the same content. */
export class V1RepeatedSend {
  /**
   * Path of the send.
   * @example /api/v1/sms/send
   */
  path: string;
  /** Body of the send, also accepted by POST /api/v1/quote together with the channel. */
  body: Record<string, unknown>;
}

export class V1LoggedMessageDetails extends V1LoggedMessage {
  /**
   * The text of an SMS, the plain text of an email, or the text of a received chat-app message; `null` if it is not stored any more.
   * @example Your code is 123456.
   */
  text: string | null;
  /**
   * The HTML of an email, before the links for tracking are added.
   * @example <p>Hello</p>
   */
  html: string | null;
  /**
   * Encoding of an SMS.
   * @example gsm-7
   */
  encoding: string | null;
  /**
   * Parts of an SMS.
   * @example 1
   */
  segments: Integer | null;
  /** The first 100 recipients of an email with their states; empty for other channels. */
  recipient_states: V1LoggedRecipient[];
  /**
   * X-Request-Id of the send; `null` for a received message and for messages of campaigns.
   * @example order-1001
   */
  request_id: string | null;
  sent_at: Timestamp | null;
  delivered_at: Timestamp | null;
  /**
   * A send with the same content; `null` if the message cannot be sent again: it was received, its content is not stored, or it has
   * attachments.
   */
  repeat: V1RepeatedSend | null;
}

/** The new message of a resend. */
export class V1ResentMessage {
  id: Uuid;
  @ApiProperty({ enum: LOG_CHANNELS })
  channel: LogChannel;
  /** @example queued */
  status: string;
  /**
   * Credits that the new message cost.
   * @example 1
   */
  credits_cost: Integer;
  /**
   * Credits of the workspace after the send.
   * @example 99
   */
  credits_remaining: Integer;
}
