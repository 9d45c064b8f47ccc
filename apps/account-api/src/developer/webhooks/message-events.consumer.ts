import { Injectable } from '@nestjs/common';
import {
  EVENT_LOG_QUEUE as queue,
  chatappConsentChanged,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappRead,
  chatappSent,
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailFailed,
  emailOpened,
  emailQueued,
  emailSent,
  emailUnsubscribed,
  smsDelivered,
  smsFailed,
  smsQueued,
  smsSent,
  type EventEnvelope,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { Pool } from 'pg';
import { EventRecorder, WEBHOOK_CONCURRENCY as concurrency } from './event-recorder';
import { chatappRecordAt } from './records/chatapp-record';
import { emailRecordWith, queuedEmailRecords } from './records/email-record';
import { smsRecordAt } from './records/sms-record';

type MessageEvent = EventEnvelope<{ messageId: string }>;
type RecipientEvent = EventEnvelope<{
  messageId: string;
  recipient: string;
  emailMessageId?: string | null | undefined;
  url?: string | null;
  reason?: string | null;
  scope?: string;
}>;

const SMS_STATUSES = ['queued', 'sent', 'delivered', 'failed'] as const;
const RECIPIENT_EVENTS = [
  'sent',
  'failed',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
] as const;
const CHATAPP_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;

/** Stores events of messages of all channels in the event log. */
@Injectable()
export class MessageEventsConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly recorder: EventRecorder,
  ) {}

  @Consumes([smsQueued, smsSent, smsDelivered, smsFailed], { queue, concurrency })
  recordSms(event: MessageEvent): Promise<void> {
    const status = lastPartOf(event, SMS_STATUSES);
    return this.recorder.record(event, `sms.${status}`, (id) =>
      smsRecordAt(this.pool, id, event.data.messageId, status),
    );
  }

  @Consumes(emailQueued, { queue, concurrency })
  async recordQueuedEmail(event: MessageEvent): Promise<void> {
    if (event.organizationId === null) return;
    const at = new Date(event.time).toISOString();
    const records = await queuedEmailRecords(this.pool, event.organizationId, event.data.messageId, at);
    await this.recorder.recordEach(event, 'email.queued', records);
  }

  @Consumes([emailSent, emailFailed], { queue, concurrency })
  @Consumes([emailDelivered, emailOpened, emailClicked, emailBounced, emailComplained], { queue, concurrency })
  @Consumes(emailUnsubscribed, { queue, concurrency })
  recordEmail(event: RecipientEvent): Promise<void> {
    const type = lastPartOf(event, RECIPIENT_EVENTS);
    const { messageId, recipient, emailMessageId = null, url = null, reason = null, scope } = event.data;
    const at = new Date(event.time).toISOString();
    const happened = { type, at, recipient, emailMessageId, url, reason, scope };
    return this.recorder.record(event, `email.${type}`, (id) => emailRecordWith(this.pool, id, messageId, happened));
  }

  @Consumes(chatappInboundReceived, { queue, concurrency })
  recordInbound(event: MessageEvent): Promise<void> {
    return this.recorder.record(event, 'chatapp.message.received', (id) =>
      chatappRecordAt(this.pool, id, event.data.messageId, 'received'),
    );
  }

  @Consumes([chatappSent, chatappDelivered, chatappRead, chatappFailed], { queue, concurrency })
  recordChat(event: MessageEvent): Promise<void> {
    const status = lastPartOf(event, CHATAPP_STATUSES);
    return this.recorder.record(event, `chatapp.message.${status}`, (id) =>
      chatappRecordAt(this.pool, id, event.data.messageId, status),
    );
  }

  @Consumes(chatappConsentChanged, { queue, concurrency })
  recordConsent(event: EventOf<typeof chatappConsentChanged>): Promise<void> {
    const { consentId, number, status, source, occurredAt } = event.data;
    const record = { id: consentId, number, status, source, occurred_at: occurredAt };
    return this.recorder.store(event, 'chatapp.consent.changed', record);
  }
}

/** `sent` for the type `sms.sent`. Throws for a type that ends with no known part. */
function lastPartOf<Part extends string>({ type }: EventEnvelope, parts: readonly Part[]): Part {
  const last = parts.find((part) => type.endsWith(`.${part}`));
  if (last === undefined) throw new Error(`Unexpected event: ${type}`);
  return last;
}
