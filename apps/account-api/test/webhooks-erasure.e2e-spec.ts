import { botHandoffRequested, chatappDelivered, emailDelivered, leadCaptured } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { composeEvent } from '@heliograph/messaging';
import { unique, until } from '@heliograph/testing';
import { storeLead } from './bot-inbox-fixture';
import { storeChatapp, storeEmail } from './stored-messages';
import { WebhooksFixture } from './webhooks-fixture';

const EMAIL = 'ann@example.com';
const PHONE = '+919811111111';
const TRACES = /ann@example|9811111111|Annabel|secret question/i;
const MASK = expect.stringMatching(/^erased:[0-9a-f]{32}$/) as string;

interface StoredEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

describe('the erasure of a person from events and deliveries', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.start();
  });
  afterAll(() => fixture.stop());

  const home = () => ({ organizationId: fixture.tenant.organizationId, workspaceId: fixture.tenant.workspace.id });
  const about = (data: object) => ({ ...home(), correlationId: null, data: data as never });
  const feed = async (query = 'limit=100', tenant = fixture.tenant) => {
    const { data } = await fixture.call('GET', `events?${query}`, undefined, tenant);
    return data as never as StoredEvent[];
  };
  const erased = () =>
    until('the person is erased', async () => {
      const rows = await fixture.account.database.query(
        `SELECT FROM persons.erasures WHERE organization_id = $1 AND 'account-api' = ANY (pending)`,
        [home().organizationId],
      );
      return rows.length === 0;
    });

  it('masks stored and later events and later deliveries, but no data of other persons', async () => {
    fixture.receiver.on('/failing', (response, { body }) => response.writeHead(500).end(body));
    const failing = await fixture.create('/failing', ['*']);
    await fixture.create('/healthy', ['contact.deleted']);
    const contact = (await fixture.call('POST', 'contacts', { email: EMAIL, phone: PHONE, first_name: 'Annabel' })) as {
      id?: string;
    };
    const other = (await fixture.call('POST', 'contacts', { email: 'bob@example.com', first_name: 'Bob' })) as object;
    const stranger = await fixture.account.tenant();
    await fixture.call('POST', 'contacts', { email: EMAIL, first_name: 'Annabel' }, stranger);
    const bot = `bot_${unique()}`;
    const body = { id: bot, name: 'Leads' };
    await fixture.account.call('POST', `/api/workspaces/${home().workspaceId}/bots`, { key: fixture.tenant.key, body });
    const lead = await storeLead(fixture.account, home(), bot, { email: EMAIL });
    const emailId = await storeEmail(fixture.account, home().organizationId, home().workspaceId);
    const chatId = await storeChatapp(fixture.account, home().organizationId, home().workspaceId);
    const { conversationId } = lead;
    const happened = { conversationId, botId: bot, channel: 'web', occurredAt: new Date().toISOString() };
    const early = await fixture.publish();
    await fixture.emit(
      composeEvent(
        emailDelivered,
        about({ messageId: emailId, recipient: EMAIL, emailMessageId: '<a@b>', url: null, reason: null }),
      ),
      composeEvent(chatappDelivered, about({ ...happened, messageId: chatId, chatappMessageId: 'c', to: PHONE })),
      composeEvent(leadCaptured, about({ ...happened, ...lead, formId: 'lead', answers: [] })),
      composeEvent(botHandoffRequested, about({ ...happened, messageId: newId(), content: 'A secret question' })),
    );
    await until('all events are stored', async () => {
      const types = (await feed()).map(({ type }) => type);
      return [
        'sms.delivered',
        'email.delivered',
        'chatapp.message.delivered',
        'lead.captured',
        'bot.handoff.requested',
      ].every((type) => types.includes(type));
    });
    await until('a delivery has failed', async () =>
      (await fixture.logs(failing.id)).some((one) => one.attempts.length > 0),
    );
    const before = await feed();
    expect(JSON.stringify(before)).toMatch(TRACES);

    await fixture.call('DELETE', `contacts/${contact.id}`);
    await until('the deletion is delivered', () => fixture.receiver.at('/healthy').length === 1);
    // The receiver needs the address to delete its own data of the person.
    expect(JSON.parse(fixture.receiver.at('/healthy')[0]!.body)).toMatchObject({
      type: 'contact.deleted',
      data: { id: contact.id, email: EMAIL, phone: PHONE },
    });
    await erased();

    const after = await feed();
    expect(JSON.stringify(after)).not.toMatch(TRACES);
    expect(after.slice(0, before.length).map(({ id, type }) => [id, type])).toEqual(
      before.map(({ id, type }) => [id, type]),
    );
    const dataOf = (type: string) => after.find((one) => one.type === type)!.data;
    expect(dataOf('sms.delivered')).toMatchObject({ to: MASK, message: '', status: 'delivered' });
    expect(dataOf('email.delivered')).toMatchObject({
      to: [MASK],
      subject: '',
      recipient: { to: MASK, message_id: null },
    });
    expect(dataOf('contact.deleted')).toMatchObject({ id: contact.id, email: MASK, phone: MASK, first_name: null });
    const { status: _status, headers: _headers, ...record } = other as Record<string, unknown>;
    expect(after.filter(({ data }) => data['id'] === record['id'])).toMatchObject([{ data: record }]);
    expect(JSON.stringify(await feed('limit=100', stranger))).toContain(EMAIL);

    // The responses of the receiver contained the delivered data.
    expect(JSON.stringify(await fixture.logs(failing.id, 'limit=100'))).not.toMatch(TRACES);
    fixture.receiver.received.length = 0;
    fixture.receiver.status('/failing', 200);
    // Later than the next retry, however many attempts a slow machine has already made.
    fixture.advance(3_600_000);
    await until(
      'the failed deliveries are repeated',
      async () => (await fixture.logs(failing.id, 'limit=100&status=pending')).length === 0,
    );
    const delivered = fixture.receiver.at('/failing').map((one) => one.body);
    expect(delivered.length).toBeGreaterThan(0);
    expect(delivered.join()).not.toMatch(TRACES);

    await fixture.publish(fixture.tenant, early);
    const ofMessage = async (id: string) => (await feed()).filter(({ data }) => data['id'] === id);
    await until('a late event is stored', async () => (await ofMessage(early)).length === 2);
    for (const { data } of await ofMessage(early)) expect(data).toMatchObject({ to: MASK, message: '' });
    // The person is a new one for what happens after the erasure.
    const later = await fixture.publish();
    await until('a later event is stored', async () => (await ofMessage(later)).length === 1);
    expect((await ofMessage(later))[0]!.data).toMatchObject({ to: PHONE });
  }, 60_000);
});
