import { ApiProperty } from '@nestjs/swagger';
import { MODES } from '@heliograph/auth';
import { webhookRecord, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { IsOptional } from 'class-validator';
import { IsInstant, IsOneOf, RecordDto, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';
import {
  DELIVERY_STATUSES,
  publicEventId,
  webhookRecordOf,
  type CatalogEntry,
  type Delivery,
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
  /** Mode of the events that the webhook gets. The default is the mode of the caller. It cannot be changed. */
  @IsOptional()
  @IsOneOf('mode', MODES)
  mode?: (typeof MODES)[number] | null;
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
  /** Mode of the webhooks; by default that of the caller. */
  @IsOptional()
  @IsOneOf('mode', MODES)
  mode?: (typeof MODES)[number];
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
  /** Replays events stored at or after this time. */
  @IsInstant('from')
  from: Timestamp;
  /** Replays events stored before this time. The default is the current time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp | null;
  /** Replays only events that have a delivery with this status. */
  @IsOptional()
  @IsOneOf('status', DELIVERY_STATUSES)
  status?: (typeof DELIVERY_STATUSES)[number] | null;
}

@V1Request()
export class V1WebhookLogsQuery extends V1ListQuery {
  @IsOptional()
  @IsOneOf('status', DELIVERY_STATUSES)
  status?: (typeof DELIVERY_STATUSES)[number];
  @EventTypeField()
  event_type?: string;
  /** Returns deliveries created at or after this time. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;
  /** Returns deliveries created before this time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;
}

export class V1Webhook extends RecordDto(webhookRecord) {
  static of(subscription: Subscription): V1Webhook {
    return webhookRecordOf(subscription);
  }
}

export class V1NewWebhook extends V1Webhook {
  /**
   * Secret for the verification of signatures. It is only returned in this response.
   * @example whsec_...
   */
  secret: string;
}

export class V1Webhooks {
  data: V1Webhook[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

export class V1Attempt {
  at: Timestamp;
  duration_ms: Integer;
  /** HTTP status of the response; `null` if no response was received. */
  status_code: Integer | null;
  error: string | null;
  /** The first kilobyte of the response body. */
  response_body: string | null;
}

export class V1Delivery {
  id: Uuid;
  /** @example evt_019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f */
  event_id: string;
  /** @example sms.delivered */
  event_type: string;
  status: (typeof DELIVERY_STATUSES)[number];
  /** The last 20 attempts. */
  attempts: V1Attempt[];
  next_attempt_at: Timestamp | null;
  created_at: Timestamp;

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
  data: V1Delivery[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

export class V1Replay {
  /** Number of created deliveries. */
  deliveries: Integer;
}

class V1EventType {
  /** @example sms.delivered */
  type: string;
  description: string;
  /** JSON Schema of the body of the event. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  schema: object;
  @ApiProperty({ type: 'object', additionalProperties: true })
  example: object;
}

export class V1EventTypes {
  @ApiProperty({ type: [V1EventType] })
  data: readonly CatalogEntry[];
}
