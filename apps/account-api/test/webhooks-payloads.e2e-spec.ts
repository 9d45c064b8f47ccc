import {
  apiKeyCreated,
  apiKeyRevoked,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  campaignCompleted,
  campaignPaused,
  campaignStarted,
  chatappConsentChanged,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappRead,
  chatappSent,
  creditsLow,
  creditsPurchased,
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailDomainLapsed,
  emailDomainVerified,
  emailFailed,
  emailOpened,
  emailQueued,
  emailSent,
  emailUnsubscribed,
  leadCaptured,
  smsDelivered,
  smsFailed,
  smsQueued,
  smsSent,
  type EventContract,
} from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { composeEvent } from '@heliograph/messaging';
import { unique, until } from '@heliograph/testing';
import { CATALOG, exampleDataOf } from '@heliograph/webhooks';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { storeLead } from './bot-inbox-fixture';
import { storeChatapp, storeEmail, storePurchase, storeSms } from './stored-messages';
import { WebhooksFixture, type Webhook } from './webhooks-fixture';

interface StoredEvent {
  id: string;
  type: string;
  timestamp: string;
  organization_id: string;
  workspace_id: string | null;
  data: Record<string, unknown>;
}

const AT = new Date().toISOString();
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

describe('the payloads of the event feed', () => {
  let fixture: WebhooksFixture;
  const schemas = new Map<string, ValidateFunction>();
  const seen = new Set<string>();
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { data } = await fixture.call('GET', 'webhooks/events');
    for (const { type, schema } of data as never as { type: string; schema: object }[]) {
      schemas.set(type, ajv.compile(schema));
    }
  });
  afterAll(() => fixture.receiver.stop());

  const home = () => ({ organizationId: fixture.tenant.organizationId, workspaceId: fixture.tenant.workspace.id });
  const store = <T>(how: (account: never, organizationId: string, workspaceId: string) => Promise<T>) =>
    how(fixture.account as never, home().organizationId, home().workspaceId);
  /** Publishes an event on the bus. */
  const publish = (contract: EventContract, data: object) =>
    fixture.emit(composeEvent(contract, { ...home(), correlationId: null, data: data as never }));
  const stored = async (type: string): Promise<StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for (let after = ''; ;) {
      const page = await fixture.call('GET', `events?limit=100&types=${type}${after}`);
      events.push(...(page.data as never as StoredEvent[]));
      const { has_more: hasMore, next_cursor: cursor } = page as never as { has_more: boolean; next_cursor: string };
      if (!hasMore) return events;
      after = `&after=${cursor}`;
    }
  };
  /** Returns the stored event that contains a value, after validation against the served schema. */
  const eventOf = async (type: string, about: string) => {
    const event = await until(`${type} is stored`, async () =>
      (await stored(type)).find((one) => JSON.stringify(one.data).includes(about)),
    );
    const validate = schemas.get(type)!;
    expect([type, validate(event), validate.errors]).toEqual([type, true, null]);
    // The event has exactly the properties of the example in the catalog.
    expect([type, Object.keys(event.data).sort()]).toEqual([
      type,
      Object.keys(exampleDataOf(event.type as never)).sort(),
    ]);
    seen.add(type);
    return event;
  };

  it('of SMS contain the v1 record at the time of the event', async () => {
    const id = await store(storeSms);
    const to = '+919811111111';
    const messageId = id;
    const queued = { from: 'DEMOIN', senderId: newId(), templateId: null, encoding: 'gsm-7', country: 'IN' };
    await publish(smsQueued, {
      ...queued,
      messageId,
      to,
      segments: 1,
      creditsCost: 1,
      scheduledAt: null,
      createdAt: AT,
    });
    await publish(smsSent, { messageId, to, carrier: 'one', sentAt: AT });
    await publish(smsDelivered, { messageId, to, carrier: 'one', deliveredAt: AT });
    await publish(smsFailed, { messageId, to, carrier: 'one', error: 'x', refunded: false, failedAt: AT });
    const event = await eventOf('sms.delivered', id);
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_/) as string,
      timestamp: TIME,
      organization_id: home().organizationId,
      workspace_id: home().workspaceId,
      data: {
        id,
        status: 'delivered',
        to,
        sender: 'DEMOIN',
        message: 'x',
        encoding: 'gsm-7',
        segments: 1,
        credits_cost: 1,
        flash: false,
        error: null,
        created_at: TIME,
        sent_at: TIME,
        delivered_at: TIME,
      },
    });
    expect((await eventOf('sms.queued', id)).data).toMatchObject({ status: 'queued', sent_at: null });
    expect((await eventOf('sms.sent', id)).data).toMatchObject({ status: 'sent', delivered_at: null });
    expect((await eventOf('sms.failed', id)).data).toMatchObject({ status: 'failed' });
  });

  it('of emails contain the v1 record, the recipient with its Message-ID, and the event', async () => {
    const messageId = await store(storeEmail);
    await publish(emailQueued, { messageId });
    const queued = await eventOf('email.queued', messageId);
    expect(queued.data).toMatchObject({
      id: messageId,
      status: 'queued',
      to: ['ann@example.com'],
      subject: 'Hi',
      counts: { recipients: 2, sent: 0, delivered: 0, failed: 0 },
      recipient: { to: 'ann@example.com', kind: 'to', status: 'queued', message_id: null },
      event: { type: 'queued', at: TIME, url: null, reason: null, machine: false },
    });
    const ann = { messageId, recipient: 'ann@example.com', emailMessageId: '<token@demo.example>' };
    const plain = { ...ann, url: null, reason: null };
    await publish(emailSent, { ...ann, from: 'hello@demo.example', subject: 'Hi' });
    await publish(emailFailed, { messageId, recipient: 'bob@example.com', reason: '550 5.1.1 no such user' });
    await publish(emailDelivered, plain);
    await publish(emailOpened, { ...plain, reason: 'machine' });
    await publish(emailClicked, { ...plain, url: 'https://demo.example/' });
    await publish(emailBounced, { ...plain, reason: '5.0.0' });
    await publish(emailComplained, plain);
    await publish(emailUnsubscribed, { ...plain, scope: 'marketing' });
    const record = { id: messageId, from: 'hello@demo.example', counts: { recipients: 2, sent: 1, failed: 1 } };
    const to = { to: 'ann@example.com', message_id: '<token@demo.example>' };
    const happened = { at: TIME, url: null, reason: null, machine: false };
    for (const [type, recipient, event] of [
      ['sent', { ...to, status: 'sent' }, happened],
      ['failed', { to: 'bob@example.com', status: 'failed', message_id: null }, { reason: '550 5.1.1 no such user' }],
      ['delivered', { ...to, status: 'delivered' }, happened],
      ['opened', { ...to, status: 'delivered' }, { ...happened, reason: 'machine', machine: true }],
      ['clicked', to, { ...happened, url: 'https://demo.example/' }],
      ['bounced', { ...to, status: 'bounced' }, { ...happened, reason: '5.0.0' }],
      ['complained', to, happened],
      ['unsubscribed', to, { ...happened, scope: 'marketing' }],
    ] as const) {
      const { data } = await eventOf(`email.${type}`, messageId);
      const of = 'to' in recipient ? recipient.to : to.to;
      expect(data).toMatchObject({ ...record, to: [of], recipient, event: { type, ...event } });
    }
  });

  it('of an email to 1,000 recipients are small and about one recipient each, also when it is queued', async () => {
    const messageId = await store(storeEmail);
    await fixture.account.database.query(
      `INSERT INTO email.recipients (message_id, position, attempts, state, outcome, address, kind)
       SELECT $1, n, 1, CASE WHEN n = 2 THEN 'skipped' ELSE 'sent' END, 'delivered',
         'recipient-with-a-long-name-' || n || '@subdomain.demo.example', CASE WHEN n = 3 THEN 'bcc' ELSE 'to' END
       FROM generate_series(2, 999) AS n`,
      [messageId],
    );
    const nth = (n: number) => `recipient-with-a-long-name-${n}@subdomain.demo.example`;
    const queued = composeEvent(emailQueued, { ...home(), correlationId: null, data: { messageId } });
    const storedEvents = async () => (await stored('email.queued')).filter(({ data }) => data['id'] === messageId);
    await fixture.emit(queued);
    await until('the events are stored', async () => (await storedEvents()).length >= 999);
    // The bus may deliver an event twice.
    await fixture.emit(queued);
    await publish(emailDelivered, {
      messageId,
      recipient: nth(500),
      emailMessageId: null,
      url: null,
      reason: null,
    });
    const delivered = await eventOf('email.delivered', messageId);
    const events = await storedEvents();
    const lists = events.map(({ data }) => data as { to: string[]; cc: string[]; bcc: string[] });
    const all = ['ann@example.com', 'bob@example.com', ...Array.from({ length: 997 }, (_, index) => nth(index + 3))];
    expect(lists.map(({ to }) => to).sort()).toEqual(all.map((address) => [address]).sort());
    expect(new Set(events.map(({ id }) => id)).size).toBe(999);
    expect(events.find(({ data }) => (data['to'] as string[])[0] === nth(3))!.data).toMatchObject({
      status: 'queued',
      cc: [],
      bcc: [],
      counts: { recipients: 1_000 },
      recipient: { to: nth(3), kind: 'bcc', status: 'queued' },
    });
    expect(delivered.data).toMatchObject({
      to: [nth(500)],
      recipient: { to: nth(500) },
      counts: { recipients: 1_000 },
    });
    for (const event of [delivered, ...events]) expect(JSON.stringify(event).length).toBeLessThan(2_000);
  });

  it('have at most 64 kB, and say what was cut', async () => {
    const messageId = await store(storeSms);
    await fixture.account.database.query('UPDATE sms.messages SET body = $2 WHERE id = $1', [
      messageId,
      'Grüße '.repeat(20_000),
    ]);
    await publish(smsDelivered, { messageId, to: '+919811111111', carrier: 'one', deliveredAt: AT });
    const event = await eventOf('sms.delivered', messageId);
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(64_000);
    expect(event).toMatchObject({
      truncated: true,
      data: { message: expect.stringMatching(/^Grüße .* …$/) as string },
    });
  });

  it('of the chat-app contain the message, or the consent', async () => {
    const messageId = await store(storeChatapp);
    const sent = { messageId, chatappMessageId: 'camid', to: '+919811111111', occurredAt: AT };
    await publish(chatappSent, sent);
    await publish(chatappDelivered, sent);
    await publish(chatappRead, sent);
    await publish(chatappFailed, { ...sent, error: 'Undeliverable', errorCode: 131_026, refunded: true });
    await publish(chatappInboundReceived, {
      messageId,
      chatappMessageId: 'camid',
      from: '919811111111',
      to: '15550100001',
      type: 'text',
      message: {},
      occurredAt: AT,
    });
    const consentId = newId();
    const consent = { number: '+919811111111', status: 'opted_out', source: 'keyword_stop' };
    await publish(chatappConsentChanged, { consentId, ...consent, occurredAt: AT });
    for (const status of ['sent', 'delivered', 'read', 'failed', 'received']) {
      expect((await eventOf(`chatapp.message.${status}`, messageId)).data).toMatchObject({
        message: {
          id: messageId,
          direction: 'outbound',
          to: '+919811111111',
          from: '+15550100001',
          type: 'text',
          status,
          category: 'service',
          price: 40,
          currency: 'INR',
          text: null,
          media: null,
          template_name: null,
          timestamps: { created_at: TIME, read_at: TIME, failed_at: null },
          error: null,
        },
      });
    }
    expect((await eventOf('chatapp.consent.changed', consentId)).data).toEqual({
      id: consentId,
      ...consent,
      occurred_at: AT,
    });
  });

  it('of an inbound chat-app reply contain its title, id and payload, as the timeline does', async () => {
    const messageId = newId();
    const payload = {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'slot-9', title: '9:00', description: 'Monday' } },
    };
    await fixture.account.database.query(
      `INSERT INTO chatapp.messages (id, organization_id, workspace_id, direction, status, type, recipient, sender,
         upstream_id, payload, occurred_at)
       VALUES ($1::uuid, $2, $3, 'inbound', 'received', 'interactive', '+15550100001', '+919811111111', $1::uuid::text, $4, $5)`,
      [messageId, home().organizationId, home().workspaceId, payload, AT],
    );
    await publish(chatappInboundReceived, {
      messageId,
      chatappMessageId: messageId,
      from: '+919811111111',
      to: '+15550100001',
      type: 'interactive',
      message: payload,
      occurredAt: AT,
    });
    const content = {
      text: '9:00',
      media: null,
      reply: { type: 'list_reply', id: 'slot-9', title: '9:00', payload: null },
      location: null,
      contacts: null,
      reaction: null,
      order: null,
    };
    expect((await eventOf('chatapp.message.received', messageId)).data).toMatchObject({
      message: { id: messageId, type: 'interactive', ...content },
    });
    expect(await fixture.call('GET', `messages/${messageId}/timeline`)).toMatchObject({
      events: [{ type: 'received', details: { ...content, sent_at: AT } }],
    });
  });

  it('of bots contain the conversation, and for a lead also the submission and the contact', async () => {
    const bot = `bot_${unique()}`;
    await fixture.account.call('POST', `/api/workspaces/${home().workspaceId}/bots`, {
      key: fixture.tenant.key,
      body: { id: bot, name: 'Leads' },
    });
    const email = `lead-${unique()}@example.com`.toLowerCase();
    const lead = await storeLead(fixture.account, home(), bot, { email });
    const { conversationId } = lead;
    const about = { conversationId, botId: bot, channel: 'web', occurredAt: AT };
    await publish(botConversationStarted, { ...about, client: {} });
    await publish(botHandoffRequested, { ...about, messageId: newId(), content: 'Help' });
    await publish(botConversationEnded, { ...about, endedBy: 'visitor' });
    await publish(leadCaptured, { ...lead, botId: bot, formId: 'lead', answers: [], occurredAt: AT });
    const conversation = { id: conversationId, bot_id: bot, channel: 'web', status: 'open', created_at: TIME };
    expect((await eventOf('bot.conversation.started', conversationId)).data).toEqual({ conversation });
    expect((await eventOf('bot.handoff.requested', conversationId)).data).toMatchObject({
      conversation,
      message: { content: 'Help' },
    });
    expect((await eventOf('bot.conversation.ended', conversationId)).data).toEqual({
      conversation: { ...conversation, status: 'ended' },
      ended_by: 'visitor',
    });
    const { data } = await eventOf('lead.captured', lead.submissionId);
    expect(data).toMatchObject({
      conversation,
      submission: {
        id: lead.submissionId,
        form_id: 'lead',
        form_title: 'Leave your details',
        created_at: TIME,
        answers: [{ key: 'email', label: 'Email', value: email }],
      },
      contact: { email, first_name: 'Lead', source: 'bot', groups: [] },
    });
    // The lead is also a new contact.
    expect((await eventOf('contact.created', email)).data).toEqual(data['contact']);
  });

  it('of contacts contain the v1 record', async () => {
    const email = `ann-${unique()}@example.com`.toLowerCase();
    const call = (method: string, path: string, body?: object) =>
      fixture.call<Record<string, unknown>>(method, `contacts${path}`, body);
    const { status: _s, headers: _h, ...created } = await call('POST', '', { email, attributes: { plan: 'pro' } });
    const { status: _s2, headers: _h2, ...changed } = await call('PUT', `/${created['id']}`, { first_name: 'Ann' });
    const id = created['id'] as string;
    expect((await eventOf('contact.created', id)).data).toEqual(created);
    expect((await eventOf('contact.updated', id)).data).toEqual(changed);
    await call('DELETE', `/${id}`);
    expect((await eventOf('contact.deleted', id)).data).toMatchObject({ id });
  });

  it('of campaigns contain the v1 record of the event', async () => {
    const campaignId = newId();
    const campaign = { ...exampleDataOf('campaign.started'), id: campaignId };
    await publish(campaignStarted, { campaignId, campaign });
    await publish(campaignPaused, { campaignId, campaign: { ...campaign, status: 'paused' } });
    await publish(campaignCompleted, { campaignId, campaign: { ...campaign, status: 'completed' } });
    for (const [type, status] of [
      ['started', 'running'],
      ['paused', 'paused'],
      ['completed', 'completed'],
    ]) {
      expect((await eventOf(`campaign.${type}`, campaignId)).data).toEqual({ ...campaign, status });
    }
  });

  it('of credits contain the balance, or the v1 record of the purchase', async () => {
    const { workspaceId } = home();
    await publish(creditsLow, { workspaceId, creditType: 'sms', balance: 9, threshold: 10 });
    expect((await eventOf('credits.low', workspaceId)).data).toEqual({
      workspace_id: workspaceId,
      credit_type: 'sms',
      balance: 9,
      threshold: 10,
    });
    const purchaseId = await store(storePurchase);
    await publish(creditsPurchased, {
      purchaseId,
      workspaceId,
      creditType: 'sms',
      credits: 1,
      amount: 1,
      currency: 'INR',
    });
    const record = await fixture.call('GET', `credits/purchases/${purchaseId}`);
    const { data } = await eventOf('credits.purchased', purchaseId);
    expect(record).toMatchObject(data);
    expect(data).toMatchObject({ id: purchaseId, workspace_id: workspaceId, package: 'sms-1', credits: 1 });
  });

  it('of domains contain name and status', async () => {
    const verified = newId();
    const lapsed = newId();
    await publish(emailDomainVerified, { domainId: verified, name: 'acme.example' });
    await publish(emailDomainLapsed, { domainId: lapsed, name: 'acme.example' });
    const data = { name: 'acme.example' };
    expect((await eventOf('domain.verified', verified)).data).toEqual({ id: verified, ...data, status: 'verified' });
    expect((await eventOf('domain.lapsed', lapsed)).data).toEqual({ id: lapsed, ...data, status: 'failed' });
  });

  it('of API keys contain no secret', async () => {
    const made = await fixture.account.call<{ key: string; apiKey: { id: string; lastFour: string } }>(
      ...(['POST', '/api/organization/api-keys'] as const),
      { key: fixture.tenant.key, body: { name: 'reader', scopes: ['sms:read'] } },
    );
    const { id } = made.data.apiKey;
    const record = { id, name: 'reader', last4: made.data.apiKey.lastFour, scopes: ['sms:read'] };
    await fixture.account.call('DELETE', `/api/organization/api-keys/${id}`, { key: fixture.tenant.key });
    expect((await eventOf('apikey.created', id)).data).toEqual(record);
    expect((await eventOf('apikey.revoked', id)).data).toEqual(record);
    expect([apiKeyCreated.type, apiKeyRevoked.type]).toEqual(['apikey.created', 'apikey.revoked']);
  });

  it('of webhooks contain the v1 record, and every type of the catalog has a producer', async () => {
    const webhook: Webhook = await fixture.create('/gone', ['domain.verified']);
    fixture.receiver.status('/gone', 410);
    await publish(emailDomainVerified, { domainId: newId(), name: 'acme.example' });
    const { data } = await eventOf('webhook.disabled', webhook.id);
    const shown = await fixture.call<Record<string, unknown>>('GET', `webhooks/${webhook.id}`);
    expect(shown).toMatchObject(data);
    expect(data).not.toHaveProperty('secret');
    expect([...seen].sort()).toEqual(CATALOG.map(({ type }) => type as string).sort());
  });
});
