import { z } from 'zod';
import { CREDIT_TYPES } from './credit-types';
import { apiKeyCreated } from './events/api-keys';
import { leadCaptured } from './events/bots';
import { chatappConsentChanged } from './events/chatapp';
import { creditsLow } from './events/credits';

// The v1 records. The functions that compose them return these types, and the schemas of the webhook catalog are
// generated from them. Fields are only added, never changed or removed.

const id = z.uuid();
const time = z.iso.datetime();
const text = z.string();
const maybeText = text.nullable();
const maybeTime = time.nullable();
const count = z.int();

/** Why a message failed. */
export const failureRecord = z.object({ code: text, message: text });

export const smsRecord = z.object({
  id,
  status: z.enum(['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled']),
  to: text.meta({ description: 'Phone number of the recipient in E.164 format.' }),
  sender_id: id,
  sender: text.meta({ description: 'Sender header that the recipient sees.' }),
  template_id: id.nullable(),
  message: text.meta({ description: 'The complete text, with all variables substituted.' }),
  encoding: z.enum(['gsm-7', 'ucs-2']),
  segments: count,
  credits_cost: count,
  flash: z.boolean(),
  campaign_id: id.nullable(),
  reference: maybeText,
  error: failureRecord.nullable().meta({ description: 'Reason of the failure; `null` if the message has not failed.' }),
  scheduled_at: maybeTime,
  created_at: time,
  sent_at: maybeTime,
  delivered_at: maybeTime,
});
export type SmsRecord = z.output<typeof smsRecord>;

/** Numbers of recipients. */
export const emailCountsRecord = z.object({
  recipients: count,
  sent: count.meta({
    description: 'Number of recipients whose mail was accepted by the mail server, including delivered mails.',
  }),
  delivered: count,
  opened: count,
  clicked: count,
  bounced: count,
  complained: count,
  unsubscribed: count,
  failed: count.meta({ description: 'Number of recipients that were refused and refunded.' }),
  skipped: count.meta({ description: 'Number of recipients that were suppressed and not charged.' }),
});

export const emailRecord = z.object({
  id,
  status: z.enum(['scheduled', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled']),
  from: text,
  from_name: maybeText,
  to: z.array(text),
  cc: z.array(text),
  bcc: z.array(text),
  subject: text,
  template_id: id.nullable(),
  tags: z.array(text),
  campaign_id: id.nullable(),
  reference: maybeText,
  credits_cost: count.meta({
    description: 'Credits charged for the email. Refunds of refused recipients are not subtracted.',
  }),
  counts: emailCountsRecord,
  scheduled_at: maybeTime,
  created_at: time,
});
export type EmailRecord = z.output<typeof emailRecord>;

/** An email with one of its recipients and the event. `message_id`: Message-ID of the email. */
export const emailRecipientRecord = emailRecord.extend({
  recipient: z.object({ to: text, kind: z.enum(['to', 'cc', 'bcc']), status: text, message_id: maybeText }),
  event: z.object({
    type: text,
    at: time,
    url: maybeText,
    reason: maybeText,
    machine: z.boolean(),
    /** The scope of an unsubscribe; other events have none. */
    scope: text.optional(),
  }),
});
export type EmailRecipientRecord = z.output<typeof emailRecipientRecord>;

const providerObject = z.record(text, z.unknown());

export const chatappRecord = z.object({
  message: z.object({
    id,
    direction: z.enum(['outbound', 'inbound']),
    to: text,
    from: text,
    type: text,
    status: text,
    category: maybeText,
    price: count.nullable(),
    currency: maybeText,
    text: maybeText,
    media: z.object({ type: text }).nullable(),
    /** What the recipient chose. The title is also the text of the message. */
    reply: z
      .object({
        type: z.enum(['button', 'button_reply', 'list_reply', 'nfm_reply']),
        id: maybeText,
        title: maybeText,
        payload: maybeText,
      })
      .nullable(),
    /** The provider's objects, unchanged. */
    location: providerObject.nullable(),
    contacts: z.array(providerObject).nullable(),
    reaction: providerObject.nullable(),
    order: providerObject.nullable(),
    template_name: maybeText,
    timestamps: z.object({
      created_at: time,
      sent_at: maybeTime,
      delivered_at: maybeTime,
      read_at: maybeTime,
      failed_at: maybeTime,
    }),
    error: z.object({ code: count.nullable(), message: text }).nullable(),
  }),
});
export type ChatappRecord = z.output<typeof chatappRecord>;

const consentChange = chatappConsentChanged.schema.shape;
export const consentRecord = z.object({
  id: consentChange.consentId,
  number: consentChange.number,
  status: consentChange.status,
  source: consentChange.source,
  occurred_at: time,
});
export type ConsentRecord = z.output<typeof consentRecord>;

const conversation = z.object({ id, bot_id: text, channel: text, status: text, created_at: time });
export const conversationRecord = z.object({ conversation });
export const handoffRecord = z.object({ conversation, message: z.object({ id, content: text }) });
export const endedConversationRecord = z.object({ conversation, ended_by: z.enum(['visitor', 'agent']) });
export type ConversationRecord = z.output<typeof conversation>;

const consent = z.enum(['opted_in', 'opted_out', 'unknown']);
const attributes = z.record(text, z.union([text, z.number(), z.boolean()]));
export const contactRecord = z.object({
  id,
  email: maybeText,
  phone: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  language: maybeText,
  country: maybeText,
  time_zone: maybeText,
  attributes,
  groups: z.array(z.object({ id, name: text })),
  consent: z.object({ sms: consent, email: consent, chatapp: consent }),
  source: text,
  created_at: time,
  updated_at: time,
});
export type ContactRecord = z.output<typeof contactRecord>;

const submission = z.object({
  id,
  form_id: text,
  form_title: text,
  answers: leadCaptured.schema.shape.answers,
  created_at: time,
});
export type SubmissionRecord = z.output<typeof submission>;
export const leadRecord = z.object({ conversation, submission, contact: contactRecord.nullable() });

const audience = z.object({
  group_ids: z.array(id).optional(),
  contact_ids: z.array(id).optional(),
  exclude_group_ids: z.array(id).optional(),
  filter: z
    .object({
      consent: consent.optional(),
      country: text.optional(),
      language: text.optional(),
      created_after: text.optional(),
      created_before: text.optional(),
      attributes: attributes.optional(),
    })
    .optional(),
});

export const campaignRecord = z.object({
  id,
  name: text,
  status: text,
  channel: z.enum(['sms', 'email']),
  content: z.record(text, z.unknown()),
  audience,
  scheduled_at: maybeTime,
  send_window: z.object({ from: text, until: text, time_zone: text }).nullable(),
  rate_per_minute: count.nullable(),
  counts: z.object({
    audience: count,
    queued: count,
    sent: count,
    delivered: count,
    failed: count,
    skipped: count,
    opened: count,
    clicked: count,
    bounced: count,
    unsubscribed: count,
    /** Absent in events of releases before it was added. */
    canceled: count.optional(),
  }),
  credits_spent: count,
  skipped_reasons: z.object({
    opted_out: count,
    suppressed: count,
    no_address: count,
    invalid: count,
    duplicate: count,
  }),
  error: z.object({ code: text, message: text }).nullable(),
  created_at: time,
  started_at: maybeTime,
  finished_at: maybeTime,
});
export type CampaignRecord = z.output<typeof campaignRecord>;

export const creditsLowRecord = z.object({
  workspace_id: creditsLow.schema.shape.workspaceId,
  credit_type: creditsLow.schema.shape.creditType,
  balance: creditsLow.schema.shape.balance,
  threshold: creditsLow.schema.shape.threshold,
});

export const purchaseRecord = z.object({
  id,
  status: z.enum(['pending', 'paid', 'expired', 'refunded']),
  workspace_id: id,
  package: text,
  quantity: count,
  credit_type: z.enum(CREDIT_TYPES),
  credits: count,
  amount: count.meta({ description: 'Price in minor units of the currency.' }),
  currency: text.meta({ example: 'INR' }),
  checkout_url: maybeText.meta({ description: 'URL of the payment page; `null` unless the purchase is pending.' }),
  amount_refunded: count.meta({
    description: 'Amount that refunds and lost disputes returned, in minor units of the currency.',
  }),
  credits_refunded: count.meta({
    description:
      'Number of credits that were withdrawn because of refunds and lost disputes, in the workspaces that had them.',
  }),
  credits_not_recovered: count.meta({
    description: 'Number of refunded credits that could not be withdrawn, because they were already spent.',
  }),
  credits_frozen: count.meta({
    description: 'Number of credits that an open payment dispute withholds from the balances.',
  }),
  created_at: time,
  expires_at: time,
  paid_at: maybeTime,
});
export type PurchaseRecord = z.output<typeof purchaseRecord>;

export const domainRecord = z.object({ id, name: text, status: z.enum(['verified', 'failed']) });

const apiKey = apiKeyCreated.schema.shape;
export const apiKeyRecord = z.object({
  id: apiKey.keyId,
  name: apiKey.name,
  last4: apiKey.lastFour,
  scopes: apiKey.scopes,
});

export const webhookRecord = z.object({
  id,
  url: text,
  events: z.array(text),
  description: maybeText,
  mode: z
    .enum(['live', 'test'])
    .meta({ description: 'A webhook of the mode `test` gets the events of test mode, and no others.' }),
  workspace_id: id.nullable(),
  headers: z.record(text, text),
  active: z.boolean(),
  status: z.enum(['healthy', 'failing', 'disabled']),
  disabled_reason: maybeText.meta({ description: 'Reason why the webhook was disabled; otherwise `null`.' }),
  api_version: text.meta({
    description: 'Version of the payload format. New fields can be added to a version.',
  }),
  created_at: time,
  updated_at: time,
});
export type WebhookRecord = z.output<typeof webhookRecord>;
