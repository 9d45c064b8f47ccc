import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ApiKey } from '@heliograph/auth';
import { Purchase } from '@heliograph/billing';
import { Contact as Lead } from '@heliograph/bot-conversations';
import { ContactsService, readContactField } from '@heliograph/contacts';
import {
  EVENT_LOG_QUEUE as queue,
  apiKeyCreated,
  apiKeyRevoked,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  campaignCompleted,
  campaignPaused,
  campaignStarted,
  contactCreated,
  contactDeleted,
  contactUpdated,
  creditsLow,
  creditsPurchased,
  emailDomainLapsed,
  emailDomainVerified,
  leadCaptured,
  type EventOf,
} from '@heliograph/contracts';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { Pool } from 'pg';
import { Repository } from 'typeorm';
import { V1Contact } from '../../audience/contacts/contacts.dto';
import { V1Purchase } from '../../money/v1-credits/v1-credits.dto';
import { EventRecorder, WEBHOOK_CONCURRENCY as concurrency } from './event-recorder';
import { conversationRecord, submissionRecord } from './records/bot-record';

/** Maximum time to wait for another consumer to store the contact of a lead. */
const CONTACT_WAIT_MS = 10_000;
const CONTACT_RETRY_MS = 300;

/** Stores events of bots, contacts, credits, domains and keys in the event log. */
@Injectable()
export class AccountEventsConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly recorder: EventRecorder,
    private readonly contacts: ContactsService,
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
  ) {}

  @Consumes(botConversationStarted, { queue, concurrency })
  conversationStarted(event: EventOf<typeof botConversationStarted>): Promise<void> {
    return this.recorder.record(event, 'bot.conversation.started', async (id) => {
      const conversation = await conversationRecord(this.pool, id, event.data.conversationId, 'open');
      return conversation && { conversation };
    });
  }

  @Consumes(botHandoffRequested, { queue, concurrency })
  handoffRequested(event: EventOf<typeof botHandoffRequested>): Promise<void> {
    const { conversationId, messageId, content } = event.data;
    return this.recorder.record(event, 'bot.handoff.requested', async (id) => {
      const conversation = await conversationRecord(this.pool, id, conversationId);
      return conversation && { conversation, message: { id: messageId, content } };
    });
  }

  @Consumes(botConversationEnded, { queue, concurrency })
  conversationEnded(event: EventOf<typeof botConversationEnded>): Promise<void> {
    const { conversationId, endedBy } = event.data;
    return this.recorder.record(event, 'bot.conversation.ended', async (id) => {
      const conversation = await conversationRecord(this.pool, id, conversationId, 'ended');
      return conversation && { conversation, ended_by: endedBy };
    });
  }

  @Consumes(leadCaptured, { queue, concurrency })
  leadCaptured(event: EventOf<typeof leadCaptured>): Promise<void> {
    const { conversationId, submissionId } = event.data;
    return this.recorder.record(event, 'lead.captured', async (id) => {
      const conversation = await conversationRecord(this.pool, id, conversationId);
      const submission = await submissionRecord(this.pool, id, submissionId);
      return conversation && submission && { conversation, submission, contact: await this.contactOf(id, event) };
    });
  }

  @Consumes([contactCreated, contactUpdated, contactDeleted], { queue, concurrency })
  recordContact(event: EventOf<typeof contactCreated>): Promise<void> {
    return this.recorder.recordCopy(event, event.data.contact);
  }

  @Consumes([campaignStarted, campaignPaused, campaignCompleted], { queue, concurrency })
  recordCampaign(event: EventOf<typeof campaignStarted>): Promise<void> {
    return this.recorder.recordCopy(event, event.data.campaign);
  }

  @Consumes(creditsLow, { queue, concurrency })
  creditsLow(event: EventOf<typeof creditsLow>): Promise<void> {
    const { workspaceId, creditType, balance, threshold } = event.data;
    const record = { workspace_id: workspaceId, credit_type: creditType, balance, threshold };
    return this.recorder.store(event, 'credits.low', record);
  }

  @Consumes(creditsPurchased, { queue, concurrency })
  creditsPurchased(event: EventOf<typeof creditsPurchased>): Promise<void> {
    return this.recorder.record(event, 'credits.purchased', async (organizationId) => {
      const purchase = await this.purchases.findOneBy({ id: event.data.purchaseId, organizationId });
      return purchase && V1Purchase.of(purchase);
    });
  }

  @Consumes(emailDomainVerified, { queue, concurrency })
  domainVerified(event: EventOf<typeof emailDomainVerified>): Promise<void> {
    const { domainId, name } = event.data;
    return this.recorder.store(event, 'domain.verified', { id: domainId, name, status: 'verified' });
  }

  @Consumes(emailDomainLapsed, { queue, concurrency })
  domainLapsed(event: EventOf<typeof emailDomainLapsed>): Promise<void> {
    const { domainId, name } = event.data;
    return this.recorder.store(event, 'domain.lapsed', { id: domainId, name, status: 'failed' });
  }

  @Consumes(apiKeyCreated, { queue, concurrency })
  keyCreated(event: EventOf<typeof apiKeyCreated>): Promise<void> {
    const { keyId, name, lastFour, scopes } = event.data;
    return this.recorder.store(event, 'apikey.created', { id: keyId, name, scopes, last4: lastFour });
  }

  @Consumes(apiKeyRevoked, { queue, concurrency })
  keyRevoked(event: EventOf<typeof apiKeyRevoked>): Promise<void> {
    const { keyId, name, lastFour } = event.data;
    return this.recorder.record(event, 'apikey.revoked', async (organizationId) => {
      const key = await this.keys.findOneBy({ id: keyId, organizationId });
      return { id: keyId, name, scopes: key?.scopes ?? [], last4: lastFour };
    });
  }

  /** Returns the contact of a lead. Another consumer of the same event stores it. */
  private async contactOf(
    organizationId: string,
    { time, data }: EventOf<typeof leadCaptured>,
  ): Promise<V1Contact | null> {
    const lead = data.contactId && (await this.leads.findOneBy({ id: data.contactId, organizationId }));
    if (!lead) return null;
    const email = readContactField('email', lead.email);
    const phone = readContactField('phone', lead.phone);
    if (email === null && phone === null) return null;
    const contact = await this.contacts.findByAddress(this.pool, organizationId, { email, phone });
    if (contact) {
      const groups = await this.contacts.groupsOf(this.pool, [contact.id]);
      return V1Contact.of(contact, groups.get(contact.id) ?? []);
    }
    if (Date.now() - Date.parse(time) > CONTACT_WAIT_MS) return null;
    throw new TryAgainLater(CONTACT_RETRY_MS, 'the contact of the lead is not stored yet');
  }
}
