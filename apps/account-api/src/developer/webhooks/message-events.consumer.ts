import { Injectable } from '@nestjs/common';
import {
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
import { EventRecorder, WEBHOOK_CONCURRENCY as concurrency, WEBHOOK_QUEUE as queue } from './event-recorder';
import { chatappRecordAt } from './records/chatapp-record';
import { emailRecordWith, queuedEmailRecords } from './records/email-record';
import { smsRecordAt, type SmsEvent } from './records/sms-record';

type SmsMessageEvent = EventEnvelope<{ messageId: string }>;
type RecipientEvent = EventEnvelope<{
  messageId: string;
  recipient: string;
  emailMessageId?: string | null | undefined;
  url?: string | null;
  reason?: string | null;
  scope?: string;
}>;

/** Stores events of messages of all channels in the event log. */
@Injectable()
export class MessageEventsConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly recorder: EventRecorder,
  ) {}

  @Consumes(smsQueued, { queue, concurrency })
  smsQueued(event: EventOf<typeof smsQueued>): Promise<void> {
    return this.sms(event, 'queued');
  }

  @Consumes(smsSent, { queue, concurrency })
  smsSent(event: EventOf<typeof smsSent>): Promise<void> {
    return this.sms(event, 'sent');
  }

  @Consumes(smsDelivered, { queue, concurrency })
  smsDelivered(event: EventOf<typeof smsDelivered>): Promise<void> {
    return this.sms(event, 'delivered');
  }

  @Consumes(smsFailed, { queue, concurrency })
  smsFailed(event: EventOf<typeof smsFailed>): Promise<void> {
    return this.sms(event, 'failed');
  }

  @Consumes(emailQueued, { queue, concurrency })
  async emailQueued(event: EventOf<typeof emailQueued>): Promise<void> {
    if (event.organizationId === null) return;
    const at = new Date(event.time).toISOString();
    const records = await queuedEmailRecords(this.pool, event.organizationId, event.data.messageId, at);
    await this.recorder.recordEach(event, 'email.queued', records);
  }

  @Consumes(emailFailed, { queue, concurrency })
  emailFailed(event: EventOf<typeof emailFailed>): Promise<void> {
    return this.email(event, 'failed');
  }

  @Consumes(emailSent, { queue, concurrency })
  emailSent(event: EventOf<typeof emailSent>): Promise<void> {
    return this.email(event, 'sent');
  }

  @Consumes(emailDelivered, { queue, concurrency })
  emailDelivered(event: EventOf<typeof emailDelivered>): Promise<void> {
    return this.email(event, 'delivered');
  }

  @Consumes(emailOpened, { queue, concurrency })
  emailOpened(event: EventOf<typeof emailOpened>): Promise<void> {
    return this.email(event, 'opened');
  }

  @Consumes(emailClicked, { queue, concurrency })
  emailClicked(event: EventOf<typeof emailClicked>): Promise<void> {
    return this.email(event, 'clicked');
  }

  @Consumes(emailBounced, { queue, concurrency })
  emailBounced(event: EventOf<typeof emailBounced>): Promise<void> {
    return this.email(event, 'bounced');
  }

  @Consumes(emailComplained, { queue, concurrency })
  emailComplained(event: EventOf<typeof emailComplained>): Promise<void> {
    return this.email(event, 'complained');
  }

  @Consumes(emailUnsubscribed, { queue, concurrency })
  emailUnsubscribed(event: EventOf<typeof emailUnsubscribed>): Promise<void> {
    return this.email(event, 'unsubscribed');
  }

  @Consumes(chatappInboundReceived, { queue, concurrency })
  chatappReceived(event: EventOf<typeof chatappInboundReceived>): Promise<void> {
    return this.recorder.record(event, 'chatapp.message.received', (id) =>
      chatappRecordAt(this.pool, id, event.data.messageId, 'received'),
    );
  }

  @Consumes(chatappSent, { queue, concurrency })
  chatappSent(event: EventOf<typeof chatappSent>): Promise<void> {
    return this.chatapp(event, 'sent');
  }

  @Consumes(chatappDelivered, { queue, concurrency })
  chatappDelivered(event: EventOf<typeof chatappDelivered>): Promise<void> {
    return this.chatapp(event, 'delivered');
  }

  @Consumes(chatappRead, { queue, concurrency })
  chatappRead(event: EventOf<typeof chatappRead>): Promise<void> {
    return this.chatapp(event, 'read');
  }

  @Consumes(chatappFailed, { queue, concurrency })
  chatappFailed(event: EventOf<typeof chatappFailed>): Promise<void> {
    return this.chatapp(event, 'failed');
  }

  @Consumes(chatappConsentChanged, { queue, concurrency })
  consentChanged(event: EventOf<typeof chatappConsentChanged>): Promise<void> {
    const { consentId, number, status, source, occurredAt } = event.data;
    const record = { id: consentId, number, status, source, occurred_at: occurredAt };
    return this.recorder.record(event, 'chatapp.consent.changed', () => Promise.resolve(record));
  }

  private sms(event: SmsMessageEvent, status: SmsEvent): Promise<void> {
    return this.recorder.record(event, `sms.${status}`, (id) =>
      smsRecordAt(this.pool, id, event.data.messageId, status),
    );
  }

  private email(
    event: RecipientEvent,
    type: 'sent' | 'failed' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed',
  ): Promise<void> {
    const { messageId, recipient, emailMessageId = null, url = null, reason = null, scope } = event.data;
    const at = new Date(event.time).toISOString();
    const happened = { type, at, recipient, emailMessageId, url, reason, scope };
    return this.recorder.record(event, `email.${type}`, (id) => emailRecordWith(this.pool, id, messageId, happened));
  }

  private chatapp(
    event: EventEnvelope<{ messageId: string }>,
    status: 'sent' | 'delivered' | 'read' | 'failed',
  ): Promise<void> {
    return this.recorder.record(event, `chatapp.message.${status}`, (id) =>
      chatappRecordAt(this.pool, id, event.data.messageId, status),
    );
  }
}
