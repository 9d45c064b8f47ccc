import type {
  CampaignRecord,
  ChatappRecord,
  ContactRecord,
  EmailRecipientRecord,
  EmailRecord,
  SmsRecord,
} from '@heliograph/contracts';
import type { EventData } from './event-records';
import type { WebhookEventType } from './event-types';

const AT = '2026-11-20T10:12:28.000Z';
const LATER = '2026-11-20T10:12:31.000Z';
/** Ids of the examples. */
export const EXAMPLE_ID = '019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f';

const sms = (status: SmsRecord['status']): SmsRecord => ({
  id: EXAMPLE_ID,
  status,
  to: '+919811111111',
  sender_id: EXAMPLE_ID,
  sender: 'ACMEIN',
  template_id: EXAMPLE_ID,
  message: 'Your code is 123456',
  encoding: 'gsm-7',
  segments: 1,
  credits_cost: 1,
  flash: false,
  campaign_id: null,
  reference: 'order-1',
  scheduled_at: null,
  created_at: AT,
  error: status === 'failed' ? { code: 'DELIVERY_FAILED', message: 'The carrier reports: undeliverable.' } : null,
  sent_at: status === 'queued' ? null : AT,
  delivered_at: status === 'delivered' ? LATER : null,
});

const NONE = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0, failed: 0 };
const email = (status: EmailRecord['status'], counts: Partial<EmailRecord['counts']>): EmailRecord => ({
  id: EXAMPLE_ID,
  status,
  from: 'hello@acme.example',
  from_name: 'Acme',
  to: ['ann@example.com'],
  cc: [],
  bcc: [],
  subject: 'Welcome',
  template_id: null,
  tags: ['welcome'],
  campaign_id: null,
  reference: null,
  credits_cost: 1,
  counts: { recipients: 1, ...NONE, skipped: 0, ...counts },
  scheduled_at: null,
  created_at: AT,
});

const recipient = (
  type: string,
  status: EmailRecord['status'],
  counts: Partial<EmailRecord['counts']>,
  { url = null, reason = null, ...details }: { url?: string | null; reason?: string | null; scope?: string } = {},
): EmailRecipientRecord => ({
  ...email(status, counts),
  recipient: {
    to: 'ann@example.com',
    kind: 'to',
    status,
    message_id: ['queued', 'failed'].includes(status) ? null : '<mfzgk2dbnzxxi@acme.example>',
  },
  event: { type, at: LATER, url, reason, machine: false, ...details },
});
const SENT = { sent: 1 };
const DELIVERED = { sent: 1, delivered: 1 };
const OPENED = { ...DELIVERED, opened: 1 };

const chatapp = (status: string): ChatappRecord => ({
  message: {
    id: EXAMPLE_ID,
    to: '919811111111',
    from: '911140000000',
    type: 'text',
    status,
    direction: status === 'received' ? 'inbound' : 'outbound',
    text: 'Hello',
    media: null,
    template_name: null,
    reply: null,
    location: null,
    contacts: null,
    reaction: null,
    order: null,
    ...(status === 'received'
      ? { category: null, price: null, currency: null }
      : { category: 'service', price: 40, currency: 'INR' }),
    timestamps: {
      created_at: AT,
      sent_at: ['received', 'failed'].includes(status) ? null : AT,
      delivered_at: ['delivered', 'read'].includes(status) ? LATER : null,
      read_at: status === 'read' ? LATER : null,
      failed_at: status === 'failed' ? LATER : null,
    },
    error: status === 'failed' ? { code: 131_026, message: 'Message undeliverable' } : null,
  },
});

const conversation = { id: EXAMPLE_ID, bot_id: 'bot_acme_help', channel: 'web', status: 'open', created_at: AT };

const contact: ContactRecord = {
  id: EXAMPLE_ID,
  email: 'ann@example.com',
  phone: '+919811111111',
  first_name: 'Ann',
  last_name: 'Smith',
  language: 'en',
  country: 'IN',
  time_zone: 'Asia/Kolkata',
  attributes: { plan: 'pro' },
  groups: [],
  consent: { sms: 'opted_in', email: 'opted_in', chatapp: 'unknown' },
  source: 'api',
  created_at: AT,
  updated_at: AT,
};

const campaign = (status: string): CampaignRecord => ({
  id: EXAMPLE_ID,
  name: 'Spring sale',
  status,
  channel: 'sms',
  content: { message: 'Sale' },
  audience: { group_ids: [EXAMPLE_ID] },
  scheduled_at: null,
  send_window: null,
  rate_per_minute: null,
  counts: {
    audience: 2,
    queued: 2,
    sent: 2,
    delivered: 1,
    failed: 0,
    skipped: 0,
    opened: 0,
    clicked: 0,
    bounced: 0,
    unsubscribed: 0,
    canceled: 0,
  },
  credits_spent: 2,
  error: null,
  created_at: AT,
  started_at: AT,
  skipped_reasons: { opted_out: 0, suppressed: 0, no_address: 0, invalid: 0, duplicate: 0 },
  finished_at: status === 'completed' ? LATER : null,
});

const apiKey = { id: EXAMPLE_ID, name: 'production', last4: 'IJ01', scopes: ['sms:send'] };

/** `data` of a sample of each event type. */
export const EXAMPLES: { [Type in WebhookEventType]: EventData<Type> } = {
  'sms.queued': sms('queued'),
  'sms.sent': sms('sent'),
  'sms.delivered': sms('delivered'),
  'sms.failed': sms('failed'),
  'email.queued': recipient('queued', 'queued', {}),
  'email.sent': recipient('sent', 'sent', SENT),
  'email.delivered': recipient('delivered', 'delivered', DELIVERED),
  'email.opened': recipient('opened', 'delivered', OPENED),
  'email.clicked': recipient('clicked', 'delivered', { ...OPENED, clicked: 1 }, { url: 'https://acme.example/offer' }),
  'email.bounced': recipient('bounced', 'bounced', { sent: 1, bounced: 1 }, { reason: '550 5.1.1 no such user' }),
  'email.complained': recipient('complained', 'delivered', { ...DELIVERED, complained: 1 }),
  'email.unsubscribed': recipient(
    'unsubscribed',
    'delivered',
    { ...DELIVERED, unsubscribed: 1 },
    { scope: 'marketing' },
  ),
  'email.failed': recipient('failed', 'failed', { failed: 1 }, { reason: '554 5.7.1 not welcome' }),
  'chatapp.message.received': chatapp('received'),
  'chatapp.message.sent': chatapp('sent'),
  'chatapp.message.delivered': chatapp('delivered'),
  'chatapp.message.read': chatapp('read'),
  'chatapp.message.failed': chatapp('failed'),
  'chatapp.consent.changed': {
    id: EXAMPLE_ID,
    number: '+919811111111',
    status: 'opted_out',
    source: 'keyword_stop',
    occurred_at: AT,
  },
  'bot.conversation.started': { conversation },
  'bot.handoff.requested': { conversation, message: { id: EXAMPLE_ID, content: 'Can I talk to somebody?' } },
  'bot.conversation.ended': { conversation: { ...conversation, status: 'ended' }, ended_by: 'visitor' },
  'lead.captured': {
    conversation,
    submission: {
      id: EXAMPLE_ID,
      form_id: 'lead',
      form_title: 'Leave your details',
      created_at: AT,
      answers: [{ key: 'email', label: 'Email', value: 'ann@example.com' }],
    },
    contact: { ...contact, source: 'bot' },
  },
  'contact.created': contact,
  'contact.updated': contact,
  'contact.deleted': contact,
  'campaign.started': campaign('running'),
  'campaign.paused': campaign('paused'),
  'campaign.completed': campaign('completed'),
  'credits.low': { workspace_id: EXAMPLE_ID, credit_type: 'sms', balance: 9, threshold: 10 },
  'credits.purchased': {
    id: EXAMPLE_ID,
    status: 'paid',
    workspace_id: EXAMPLE_ID,
    package: 'sms-1000',
    quantity: 1,
    credit_type: 'sms',
    credits: 1_000,
    amount: 20_000,
    currency: 'INR',
    checkout_url: null,
    amount_refunded: 0,
    credits_refunded: 0,
    credits_frozen: 0,
    credits_not_recovered: 0,
    created_at: AT,
    expires_at: LATER,
    paid_at: AT,
  },
  'domain.verified': { id: EXAMPLE_ID, name: 'acme.example', status: 'verified' },
  'domain.lapsed': { id: EXAMPLE_ID, name: 'acme.example', status: 'failed' },
  'apikey.created': apiKey,
  'apikey.revoked': apiKey,
  'webhook.disabled': {
    id: EXAMPLE_ID,
    url: 'https://acme.example/hooks',
    events: ['sms.*'],
    description: null,
    workspace_id: null,
    headers: {},
    active: true,
    status: 'disabled',
    disabled_reason: 'The endpoint answered 410 Gone.',
    mode: 'live',
    api_version: '2026-11-23',
    created_at: AT,
    updated_at: LATER,
  },
};
