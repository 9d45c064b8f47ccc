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
import { z } from 'zod';
import { EVENT_TYPES, type WebhookEventType } from './event-types';
import { EXAMPLE_ID, EXAMPLES } from './examples';

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

export interface CatalogEntry {
  type: WebhookEventType;
  description: string;
  /** JSON Schema of the whole body. */
  schema: object;
  example: object;
}

const envelope = (type: WebhookEventType, data: z.ZodType) =>
  z.object({
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
    // As an input, it admits properties that are added later.
    schema: z.toJSONSchema(envelope(type, RECORDS[type]), { io: 'input' }),
    example: {
      ...{ id: `evt_${EXAMPLE_ID}`, type, timestamp: '2026-11-20T10:12:31.000Z' },
      ...{ organization_id: EXAMPLE_ID, workspace_id: EXAMPLE_ID },
      data: EXAMPLES[type],
    },
  };
});

/** `data` of a sample event. */
export function exampleDataOf(type: WebhookEventType): object {
  return EXAMPLES[type];
}
