import { ApiProperty } from '@nestjs/swagger';

const TIMELINE_CHANNELS = ['sms', 'email', 'chatapp', 'bots'] as const;
export type TimelineChannel = (typeof TIMELINE_CHANNELS)[number];

const TIMELINE_TYPES = [
  ...[
    'accepted',
    'checked',
    'charged',
    'scheduled',
    'queued',
    'claimed',
    'skipped',
    'attempted',
    'deferred',
    'sent',
    'delivered',
    'read',
    'failed',
  ],
  ...['bounced', 'canceled', 'refunded', 'opened', 'clicked', 'complained', 'unsubscribed', 'received'],
  ...['lead_captured', 'handoff_requested', 'answered', 'webhook_pending', 'webhook_delivered', 'webhook_failed'],
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

export class V1TimelineEvent {
  @ApiProperty({ format: 'date-time' })
  at: string;
  @ApiProperty({ enum: TIMELINE_TYPES })
  type: TimelineType;
  @ApiProperty({ example: 'The carrier accepted the message.' })
  summary: string;
  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Record<string, unknown>;
}

export class V1Timeline {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: TIMELINE_CHANNELS })
  channel: TimelineChannel;
  @ApiProperty()
  status: string;
  @ApiProperty({ type: [V1TimelineEvent], description: 'Events in chronological order' })
  events: V1TimelineEvent[];
}
