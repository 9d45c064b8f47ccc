import { ApiProperty } from '@nestjs/swagger';
import type { WebhookRecord } from '@heliograph/contracts';
import { IsOptional } from 'class-validator';
import { IsInstant, IsOneOf, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';
import {
  DELIVERY_STATUSES,
  publicEventId,
  webhookRecordOf,
  type CatalogEntry,
  type Delivery,
  type DeliveryStatus,
  type Subscription,
  type WebhookEventType,
} from '@heliograph/webhooks';
import {
  ActiveField,
  DescriptionField,
  EventsField,
  EventTypeField,
  HeadersField,
  UrlField,
  WorkspaceField,
} from './webhook-rules';

const SCOPE = 'Restricts the webhook to events of this workspace; `null` for all events of the organization';

@V1Request()
export class V1WebhookRequest {
  @UrlField({ required: true })
  url: string;
  @EventsField({ required: true })
  events: string[];
  @DescriptionField()
  description?: string | null;
  @WorkspaceField(SCOPE)
  workspace_id?: string | null;
  @HeadersField()
  headers?: Record<string, string> | null;
  @ActiveField()
  active?: boolean | null;
}

@V1Request()
export class V1WebhookChanges {
  @UrlField({ required: false })
  url?: string | null;
  @EventsField({ required: false })
  events?: string[] | null;
  @DescriptionField()
  description?: string | null;
  @WorkspaceField(SCOPE)
  workspace_id?: string | null;
  @HeadersField()
  headers?: Record<string, string> | null;
  @ActiveField()
  active?: boolean | null;
}

@V1Request()
export class V1WebhooksQuery extends V1ListQuery {
  @WorkspaceField('Returns webhooks of this workspace')
  workspace_id?: string;
}

@V1Request()
export class V1WebhookTestRequest {
  @EventTypeField()
  event?: WebhookEventType | null;
}

@V1Request()
export class V1ReplayRequest {
  @ApiProperty({ format: 'date-time', description: 'Replays events stored at or after this time' })
  @IsInstant('from')
  from: string;
  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    format: 'date-time',
    description: 'Replays events stored before this time. The default is the current time',
  })
  @IsOptional()
  @IsInstant('until')
  until?: string | null;
  @ApiProperty({
    required: false,
    enum: DELIVERY_STATUSES,
    description: 'Replays only events that have a delivery with this status',
  })
  @IsOptional()
  @IsOneOf('status', DELIVERY_STATUSES)
  status?: DeliveryStatus | null;
}

@V1Request()
export class V1WebhookLogsQuery extends V1ListQuery {
  @ApiProperty({ required: false, enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsOneOf('status', DELIVERY_STATUSES)
  status?: DeliveryStatus;
  @EventTypeField()
  event_type?: string;
  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'Returns deliveries created at or after this time',
  })
  @IsOptional()
  @IsInstant('from')
  from?: string;
  @ApiProperty({ required: false, format: 'date-time', description: 'Returns deliveries created before this time' })
  @IsOptional()
  @IsInstant('until')
  until?: string;
}

export class V1Webhook implements WebhookRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  url: string;
  @ApiProperty({ type: [String] })
  events: string[];
  @ApiProperty({ type: String, nullable: true })
  description: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  workspace_id: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers: Record<string, string>;
  @ApiProperty()
  active: boolean;
  @ApiProperty({ enum: ['healthy', 'failing', 'disabled'] })
  status: WebhookRecord['status'];
  @ApiProperty({ type: String, nullable: true, description: 'Reason why the webhook was disabled; otherwise `null`' })
  disabled_reason: string | null;
  @ApiProperty({ description: 'Version of the payload format. New fields can be added to a version' })
  api_version: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  static of(subscription: Subscription): V1Webhook {
    return webhookRecordOf(subscription);
  }
}

export class V1NewWebhook extends V1Webhook {
  @ApiProperty({
    example: 'whsec_...',
    description: 'Secret for the verification of signatures. It is only returned in this response',
  })
  secret: string;
}

export class V1Webhooks {
  @ApiProperty({ type: [V1Webhook] })
  data: V1Webhook[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}

export class V1Attempt {
  @ApiProperty({ format: 'date-time' })
  at: string;
  @ApiProperty({ type: 'integer' })
  duration_ms: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the response; `null` if no response was received',
  })
  status_code: number | null;
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first kilobyte of the response body' })
  response_body: string | null;
}

export class V1Delivery {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'evt_019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f' })
  event_id: string;
  @ApiProperty({ example: 'sms.delivered' })
  event_type: string;
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;
  @ApiProperty({ type: [V1Attempt], description: 'The last 20 attempts' })
  attempts: V1Attempt[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of(delivery: Delivery): V1Delivery {
    const { id, eventId, eventType, status, attempts, nextAttemptAt, createdAt } = delivery;
    return {
      id,
      event_id: publicEventId(eventId),
      event_type: eventType,
      status,
      attempts,
      next_attempt_at: v1Timestamp(nextAttemptAt),
      created_at: createdAt.toISOString(),
    };
  }
}

export class V1Deliveries {
  @ApiProperty({ type: [V1Delivery] })
  data: V1Delivery[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}

export class V1Replay {
  @ApiProperty({ type: 'integer', description: 'Number of created deliveries' })
  deliveries: number;
}

class V1EventType {
  @ApiProperty({ example: 'sms.delivered' })
  type: string;
  @ApiProperty()
  description: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'JSON Schema of the body of the event' })
  schema: object;
  @ApiProperty({ type: 'object', additionalProperties: true })
  example: object;
}

export class V1EventTypes {
  @ApiProperty({ type: [V1EventType] })
  data: readonly CatalogEntry[];
}
