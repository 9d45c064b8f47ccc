import { z } from 'zod';
import { EVENT_TYPES, type WebhookEventType } from './event-types';
import * as examples from './examples';
import * as records from './records';

interface Payload {
  schema: z.ZodType;
  example: object;
}

const sms = { schema: records.smsRecord, example: examples.smsExample };
const email = { schema: records.emailRecord, example: examples.emailExample };
const recipient = (type: string) => ({
  ...{ schema: records.emailRecipientRecord, example: examples.emailRecipientExample(type) },
});
const chatapp = { schema: records.chatappRecord, example: examples.chatappExample };
const conversation = { schema: records.conversationRecord, example: examples.conversationExample };
const contact = { schema: records.contactRecord, example: examples.contactExample };
const campaign = { schema: records.campaignRecord, example: examples.campaignExample };
const domain = { schema: records.domainRecord, example: examples.domainExample };
const apiKey = { schema: records.apiKeyRecord, example: examples.apiKeyExample };

/** `data` of every event type. */
const PAYLOADS: Readonly<Record<WebhookEventType, Payload>> = {
  ...{ 'sms.queued': sms, 'sms.sent': sms, 'sms.delivered': sms, 'sms.failed': sms },
  'email.queued': email,
  'email.sent': recipient('sent'),
  'email.delivered': recipient('delivered'),
  'email.opened': recipient('opened'),
  'email.clicked': recipient('clicked'),
  'email.bounced': recipient('bounced'),
  'email.complained': recipient('complained'),
  'email.unsubscribed': recipient('unsubscribed'),
  'email.failed': recipient('failed'),
  ...{ 'chatapp.message.received': chatapp, 'chatapp.message.sent': chatapp, 'chatapp.message.delivered': chatapp },
  ...{ 'chatapp.message.read': chatapp, 'chatapp.message.failed': chatapp },
  'chatapp.consent.changed': { schema: records.consentRecord, example: examples.consentExample },
  ...{ 'bot.conversation.started': conversation, 'bot.conversation.ended': conversation },
  'bot.handoff.requested': conversation,
  'lead.captured': { schema: records.leadRecord, example: examples.leadExample },
  ...{ 'contact.created': contact, 'contact.updated': contact, 'contact.deleted': contact },
  ...{ 'campaign.started': campaign, 'campaign.paused': campaign, 'campaign.completed': campaign },
  'credits.low': { schema: records.creditsLowRecord, example: examples.creditsLowExample },
  'credits.purchased': { schema: records.purchaseRecord, example: examples.purchaseExample },
  ...{ 'domain.verified': domain, 'domain.lapsed': domain },
  ...{ 'apikey.created': apiKey, 'apikey.revoked': apiKey },
  'webhook.disabled': { schema: records.webhookRecord, example: examples.webhookExample },
};

export interface CatalogEntry {
  type: WebhookEventType;
  description: string;
  /** JSON Schema of the whole body. */
  schema: object;
  example: object;
}

const envelope = (type: WebhookEventType, data: z.ZodType) =>
  z.looseObject({
    id: z.string().regex(/^evt_/),
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    organization_id: z.uuid(),
    workspace_id: z.uuid().nullable(),
    data,
  });

/** All event types with schema and example. */
export const CATALOG: readonly CatalogEntry[] = Object.entries(EVENT_TYPES).map(([name, description]) => {
  const type = name as WebhookEventType;
  return {
    type,
    description,
    schema: z.toJSONSchema(envelope(type, PAYLOADS[type].schema)),
    example: {
      ...{ id: `evt_${examples.EXAMPLE_ID}`, type, timestamp: '2026-11-20T10:12:31.000Z' },
      ...{ organization_id: examples.EXAMPLE_ID, workspace_id: examples.EXAMPLE_ID },
      data: PAYLOADS[type].example,
    },
  };
});

/** `data` of a sample event. */
export function exampleDataOf(type: WebhookEventType): object {
  return PAYLOADS[type].example;
}
