import {
  apiKeyRecord,
  campaignRecord,
  chatappRecord,
  consentRecord,
  contactRecord,
  conversationRecord,
  creditsLowRecord,
  domainRecord,
  emailRecipientRecord,
  emailRecord,
  endedConversationRecord,
  handoffRecord,
  leadRecord,
  purchaseRecord,
  smsRecord,
  webhookRecord,
} from '@heliograph/contracts';
import type { z } from 'zod';
import type { WebhookEventType } from './event-types';

/** `data` of every event type. */
export const RECORDS = {
  ...{ 'sms.queued': smsRecord, 'sms.sent': smsRecord, 'sms.delivered': smsRecord, 'sms.failed': smsRecord },
  ...{ 'email.queued': emailRecord, 'email.sent': emailRecipientRecord, 'email.delivered': emailRecipientRecord },
  ...{ 'email.opened': emailRecipientRecord, 'email.clicked': emailRecipientRecord },
  ...{ 'email.bounced': emailRecipientRecord, 'email.complained': emailRecipientRecord },
  ...{ 'email.unsubscribed': emailRecipientRecord, 'email.failed': emailRecipientRecord },
  ...{ 'chatapp.message.received': chatappRecord, 'chatapp.message.sent': chatappRecord },
  ...{ 'chatapp.message.delivered': chatappRecord, 'chatapp.message.read': chatappRecord },
  ...{ 'chatapp.message.failed': chatappRecord, 'chatapp.consent.changed': consentRecord },
  ...{ 'bot.conversation.started': conversationRecord, 'bot.conversation.ended': endedConversationRecord },
  ...{ 'bot.handoff.requested': handoffRecord, 'lead.captured': leadRecord },
  ...{ 'contact.created': contactRecord, 'contact.updated': contactRecord, 'contact.deleted': contactRecord },
  ...{ 'campaign.started': campaignRecord, 'campaign.paused': campaignRecord, 'campaign.completed': campaignRecord },
  ...{ 'credits.low': creditsLowRecord, 'credits.purchased': purchaseRecord },
  ...{ 'domain.verified': domainRecord, 'domain.lapsed': domainRecord },
  ...{ 'apikey.created': apiKeyRecord, 'apikey.revoked': apiKeyRecord, 'webhook.disabled': webhookRecord },
} as const satisfies Record<WebhookEventType, z.ZodType>;

/** `data` of an event. */
export type EventData<Type extends WebhookEventType> = z.output<(typeof RECORDS)[Type]>;
