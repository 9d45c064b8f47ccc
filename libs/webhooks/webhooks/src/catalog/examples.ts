const AT = '2026-11-20T10:12:28.000Z';
const LATER = '2026-11-20T10:12:31.000Z';
/** Ids of the examples. */
export const EXAMPLE_ID = '019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f';

export const smsExample = {
  ...{ id: EXAMPLE_ID, status: 'delivered', to: '+919811111111', sender_id: EXAMPLE_ID, sender: 'ACMEIN' },
  ...{ template_id: EXAMPLE_ID, message: 'Your code is 123456', encoding: 'gsm-7', segments: 1, credits_cost: 1 },
  ...{ flash: false, campaign_id: null, reference: 'order-1', error: null, scheduled_at: null },
  ...{ created_at: AT, sent_at: AT, delivered_at: LATER },
};

export const emailExample = {
  ...{ id: EXAMPLE_ID, status: 'delivered', from: 'hello@acme.example', from_name: 'Acme', to: ['ann@example.com'] },
  ...{ subject: 'Welcome', template_id: null, tags: ['welcome'], campaign_id: null, reference: null, credits_cost: 1 },
  counts: {
    ...{ recipients: 1, sent: 1, delivered: 1, opened: 1, clicked: 1, bounced: 0 },
    ...{ complained: 0, unsubscribed: 0, failed: 0, skipped: 0 },
  },
  ...{ scheduled_at: null, created_at: AT },
};

/** `type`: the event without `email.` */
export const emailRecipientExample = (type: string) => ({
  ...emailExample,
  recipient: { to: 'ann@example.com', status: type === 'bounced' ? 'bounced' : 'delivered', message_id: null },
  event: {
    ...{ type, at: LATER, url: type === 'clicked' ? 'https://acme.example/offer' : null },
    ...{ reason: type === 'bounced' ? '550 5.1.1 no such user' : null, machine: false },
  },
});

export const chatappExample = {
  message: {
    ...{ id: EXAMPLE_ID, direction: 'outbound', to: '919811111111', from: '911140000000', type: 'text' },
    ...{ status: 'delivered', category: 'service', price: 40, currency: 'INR', text: 'Hello', media: null },
    template_name: null,
    timestamps: { created_at: AT, sent_at: AT, delivered_at: LATER, read_at: null, failed_at: null },
    error: null,
  },
};

export const consentExample = {
  ...{ id: EXAMPLE_ID, number: '+919811111111', status: 'opted_out', source: 'keyword_stop', occurred_at: AT },
};

export const conversationExample = {
  conversation: { id: EXAMPLE_ID, bot_id: 'bot_acme_help', channel: 'web', status: 'open', created_at: AT },
};

export const contactExample = {
  ...{ id: EXAMPLE_ID, email: 'ann@example.com', phone: '+919811111111', first_name: 'Ann', last_name: 'Smith' },
  ...{ language: 'en', country: 'IN', time_zone: 'Asia/Kolkata', attributes: { plan: 'pro' }, groups: [] },
  consent: { sms: 'opted_in', email: 'opted_in', chatapp: 'unknown' },
  ...{ source: 'api', created_at: AT, updated_at: AT },
};

export const leadExample = {
  ...conversationExample,
  submission: {
    ...{ id: EXAMPLE_ID, form_id: 'lead', form_title: 'Leave your details', created_at: AT },
    answers: [{ key: 'email', label: 'Email', value: 'ann@example.com' }],
  },
  contact: contactExample,
};

export const campaignExample = {
  ...{ id: EXAMPLE_ID, name: 'Spring sale', status: 'running', channel: 'sms', content: { message: 'Sale' } },
  ...{ scheduled_at: null, created_at: AT, started_at: AT, finished_at: null },
};

export const creditsLowExample = { workspace_id: EXAMPLE_ID, credit_type: 'sms', balance: 9, threshold: 10 };

export const purchaseExample = {
  ...{ id: EXAMPLE_ID, status: 'paid', workspace_id: EXAMPLE_ID, package: 'sms-1000', quantity: 1 },
  ...{ credit_type: 'sms', credits: 1_000, amount: 20_000, currency: 'INR', checkout_url: null },
  ...{ amount_refunded: 0, credits_refunded: 0, credits_not_recovered: 0 },
  ...{ created_at: AT, expires_at: LATER, paid_at: AT },
};

export const domainExample = { id: EXAMPLE_ID, name: 'acme.example', status: 'verified' };

export const apiKeyExample = { id: EXAMPLE_ID, name: 'production', last4: 'IJ01', scopes: ['sms:send'] };

export const webhookExample = {
  ...{ id: EXAMPLE_ID, url: 'https://acme.example/hooks', events: ['sms.*'], description: null, workspace_id: null },
  ...{ headers: {}, active: true, status: 'disabled', disabled_reason: 'The endpoint answered 410 Gone.' },
  ...{ api_version: '2026-11-23', created_at: AT, updated_at: LATER },
};
