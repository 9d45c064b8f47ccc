import { z } from 'zod';

const id = z.uuid();
const time = z.iso.datetime();
const text = z.string();
const maybeText = text.nullable();
const maybeTime = time.nullable();
const count = z.int();

// Payloads only grow, so receivers must accept unknown properties: the objects are open.
export const smsRecord = z.looseObject({
  ...{ id, status: text, to: text, sender_id: id, sender: text, template_id: id.nullable(), message: text },
  ...{ encoding: z.enum(['gsm-7', 'ucs-2']), segments: count, credits_cost: count, flash: z.boolean() },
  ...{ campaign_id: id.nullable(), reference: maybeText },
  error: z.looseObject({ code: text, message: text }).nullable(),
  ...{ scheduled_at: maybeTime, created_at: time, sent_at: maybeTime, delivered_at: maybeTime },
});

const counts = z.looseObject({
  ...{ recipients: count, sent: count, delivered: count, opened: count, clicked: count, bounced: count },
  ...{ complained: count, unsubscribed: count, failed: count, skipped: count },
});

export const emailRecord = z.looseObject({
  ...{ id, status: text, from: text, from_name: maybeText, to: z.array(text), subject: text },
  ...{ template_id: id.nullable(), tags: z.array(text), campaign_id: id.nullable(), reference: maybeText },
  ...{ credits_cost: count, counts, scheduled_at: maybeTime, created_at: time },
});

export const emailRecipientRecord = emailRecord.extend({
  recipient: z.looseObject({ to: text, status: text, message_id: maybeText }),
  event: z.looseObject({ type: text, at: time, url: maybeText, reason: maybeText, machine: z.boolean() }),
});

export const chatappRecord = z.looseObject({
  message: z.looseObject({
    ...{ id, direction: z.enum(['outbound', 'inbound']), to: text, from: text, type: text, status: text },
    ...{ category: maybeText, price: count.nullable(), currency: maybeText, text: maybeText },
    media: z.looseObject({ type: text }).nullable(),
    template_name: maybeText,
    timestamps: z.looseObject({
      ...{ created_at: time, sent_at: maybeTime, delivered_at: maybeTime, read_at: maybeTime, failed_at: maybeTime },
    }),
    error: z.looseObject({ code: count.nullable(), message: text }).nullable(),
  }),
});

export const consentRecord = z.looseObject({ id, number: text, status: text, source: text, occurred_at: time });

const conversation = z.looseObject({ id, bot_id: text, channel: text, status: text, created_at: time });
export const conversationRecord = z.looseObject({ conversation });

const consent = z.enum(['opted_in', 'opted_out', 'unknown']);
export const contactRecord = z.looseObject({
  ...{ id, email: maybeText, phone: maybeText, first_name: maybeText, last_name: maybeText, language: maybeText },
  ...{ country: maybeText, time_zone: maybeText, attributes: z.record(text, z.unknown()) },
  groups: z.array(z.looseObject({ id, name: text })),
  consent: z.looseObject({ sms: consent, email: consent, chatapp: consent }),
  ...{ source: text, created_at: time, updated_at: time },
});

export const leadRecord = z.looseObject({
  conversation,
  submission: z.looseObject({
    ...{ id, form_id: text, form_title: text, created_at: time },
    answers: z.array(z.looseObject({ key: text, label: text, value: z.union([text, z.number()]) })),
  }),
  contact: contactRecord.nullable(),
});

export const campaignRecord = z.looseObject({
  ...{ id, name: text, status: text, channel: text, content: z.record(text, z.unknown()) },
  ...{ scheduled_at: maybeTime, created_at: time, started_at: maybeTime, finished_at: maybeTime },
});

export const creditsLowRecord = z.looseObject({
  workspace_id: id,
  credit_type: text,
  balance: count,
  threshold: count,
});

/** The v1 record of a purchase. */
export const purchaseRecord = z.looseObject({
  ...{ id, status: text, workspace_id: id, package: text, quantity: count, credit_type: text, credits: count },
  ...{ amount: count, currency: text, created_at: time, paid_at: maybeTime },
});

export const domainRecord = z.looseObject({ id, name: text, status: text });

export const apiKeyRecord = z.looseObject({ id, name: text, scopes: z.array(text), last4: text });

export const webhookRecord = z.looseObject({
  ...{ id, url: text, events: z.array(text), description: maybeText, workspace_id: id.nullable() },
  ...{ headers: z.record(text, text), active: z.boolean(), status: z.enum(['healthy', 'failing', 'disabled']) },
  ...{ disabled_reason: maybeText, api_version: text, created_at: time, updated_at: time },
});
