import {
  chatappConsentChanged,
  emailComplained,
  emailResubscribed,
  emailUnsubscribed,
  leadCaptured,
} from '@heliograph/contracts';
import { newId, poolOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { unique, until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { storeLead } from './bot-inbox-fixture';

interface Contact {
  id: string;
  email: string;
  first_name: string | null;
  source: string;
  consent: Record<string, string>;
}

describe('a contact', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const publish = async (event: ReturnType<typeof composeEvent>) => {
    const client = await poolOf(fixture.factory.dataSource).connect();
    await addToOutbox(client, [event]);
    client.release();
  };
  const about = (data: object) => ({
    organizationId: tenant.organizationId,
    workspaceId: tenant.workspace.id,
    correlationId: null,
    data,
  });
  const create = (body: object) => fixture.v1<Contact>('POST', '/api/v1/contacts', { key: tenant.key, body });
  const read = (id: string) => fixture.v1<Contact>('GET', `/api/v1/contacts/${id}`, { key: tenant.key });
  const evidenceOf = async (id: string) => {
    const path = `/api/v1/contacts/${id}/consents`;
    return (await fixture.v1<{ data: object[] }>('GET', path, { key: tenant.key })).data;
  };

  it.each([
    ['an unsubscribe', emailUnsubscribed, 'unsubscribe'],
    ['a complaint', emailComplained, 'complaint'],
  ])('is opted out of email by %s', async (_what, contract, source) => {
    const email = `ann-${unique()}@example.com`.toLowerCase();
    const { id } = await create({ email, consent: { email: 'opted_in' } });
    const data = { messageId: newId(), recipient: email.toUpperCase(), url: null, reason: null, scope: 'marketing' };
    await publish(composeEvent(contract, about(data) as never));
    await until('the contact has opted out', async () => (await read(id)).consent['email'] === 'opted_out');
    expect((await evidenceOf(id))[0]).toMatchObject({ channel: 'email', status: 'opted_out', source });
  });

  it('row 27: keeps its consent for the channel after an unsubscribe from a list', async () => {
    const email = `ann-${unique()}@example.com`.toLowerCase();
    const { id } = await create({ email, consent: { email: 'opted_in' } });
    const unsubscribe = (scope: string) => {
      const data = { messageId: newId(), recipient: email, url: null, reason: null, scope };
      return publish(composeEvent(emailUnsubscribed, { ...about({}), data }));
    };
    await unsubscribe('news');
    await unsubscribe('marketing');
    await until('the contact has opted out', async () => (await read(id)).consent['email'] === 'opted_out');
    const sources = (await evidenceOf(id)).map((one) => (one as { source: string }).source);
    expect(sources).toEqual(['unsubscribe', 'api']);
  });

  it.each(['opted_in', 'unknown'])('has the consent %s again after an unsubscribe is undone', async (before) => {
    const email = `ann-${unique()}@example.com`.toLowerCase();
    const { id } = await create({ email, ...(before === 'unknown' ? {} : { consent: { email: before } }) });
    const data = { messageId: newId(), recipient: email.toUpperCase(), scope: 'marketing' };
    await publish(composeEvent(emailUnsubscribed, { ...about({}), data: { ...data, url: null, reason: null } }));
    await until('the contact has opted out', async () => (await read(id)).consent['email'] === 'opted_out');
    await publish(composeEvent(emailResubscribed, { ...about({}), data: { ...data, scope: 'news' } }));
    await publish(composeEvent(emailResubscribed, { ...about({}), data }));
    await until('the consent is restored', async () => (await read(id)).consent['email'] === before);
    expect((await evidenceOf(id))[0]).toMatchObject({ channel: 'email', status: before, source: 'resubscribe' });
  });

  it('stays opted out after an unsubscribe is undone, if it has complained in the meantime', async () => {
    const email = `ann-${unique()}@example.com`.toLowerCase();
    const other = `bob-${unique()}@example.com`.toLowerCase();
    const { id } = await create({ email, consent: { email: 'opted_in' } });
    const { id: otherId } = await create({ email: other });
    const data = { messageId: newId(), recipient: email, url: null, reason: null, scope: 'marketing' };
    await publish(composeEvent(emailUnsubscribed, { ...about({}), data }));
    await until('the contact has opted out', async () => (await read(id)).consent['email'] === 'opted_out');
    await publish(composeEvent(emailComplained, { ...about({}), data }));
    await until('the complaint is stored', async () => (await evidenceOf(id)).length === 3);
    await publish(composeEvent(emailResubscribed, { ...about({}), data }));
    await publish(composeEvent(emailUnsubscribed, { ...about({}), data: { ...data, recipient: other } }));
    await until('later events are processed', async () => (await read(otherId)).consent['email'] === 'opted_out');
    expect((await read(id)).consent['email']).toBe('opted_out');
    expect((await evidenceOf(id))[0]).toMatchObject({ source: 'complaint' });
  });

  it('is opted in and out by keywords of the chat-app', async () => {
    const { id } = await create({ phone: '+919822222222' });
    const change = (status: 'opted_in' | 'opted_out', source: string, text?: string) => {
      const occurredAt = new Date().toISOString();
      const data = { consentId: newId(), number: '+919822222222', status, source, text, occurredAt };
      return publish(composeEvent(chatappConsentChanged, about(data) as never));
    };
    await change('opted_out', 'keyword_stop', 'Stop ');
    await until('the contact has opted out', async () => (await read(id)).consent['chatapp'] === 'opted_out');
    await change('opted_in', 'keyword_start');
    await until('the contact has opted in', async () => (await read(id)).consent['chatapp'] === 'opted_in');
    expect(await evidenceOf(id)).toMatchObject([
      { source: 'keyword_start', text: null },
      { source: 'keyword_stop', text: 'Stop ' },
    ]);
  });

  describe('with a lead of a bot', () => {
    const BOT = 'bot_leads';
    beforeAll(() =>
      fixture.call('POST', `/api/workspaces/${tenant.workspace.id}/bots`, {
        key: tenant.key,
        body: { id: BOT, name: 'Leads' },
      }),
    );

    const store = (email: string) => {
      const home = { organizationId: tenant.organizationId, workspaceId: tenant.workspace.id };
      return storeLead(fixture, home, BOT, { email });
    };
    const captured = ({ submissionId, conversationId, contactId }: Awaited<ReturnType<typeof store>>) => {
      const occurredAt = new Date().toISOString();
      const data = { submissionId, conversationId, contactId, botId: BOT, formId: 'lead', answers: [], occurredAt };
      return composeEvent(leadCaptured, about(data) as never);
    };
    const find = async (email: string) => {
      const path = `/api/v1/contacts?email=${encodeURIComponent(email)}`;
      return (await fixture.v1<{ data: Contact[] }>('GET', path, { key: tenant.key })).data;
    };
    const newEmail = () => `lead-${unique()}@example.com`.toLowerCase();

    it('is created from the lead', async () => {
      const email = newEmail();
      await publish(captured(await store(email)));
      await until('the lead is a contact', async () => (await find(email)).length > 0);
      expect(await find(email)).toMatchObject([{ email, first_name: 'Lead', source: 'bot' }]);
    });

    it('is not created again by the event of a lead that arrives after the erasure of the person', async () => {
      const email = newEmail();
      const { id } = await create({ email });
      const lead = await store(email);
      const late = captured(lead);
      await fixture.call('DELETE', `/api/v1/contacts/${id}`, { key: tenant.key });
      await publish(late);
      const other = newEmail();
      await publish(captured(await store(other)));
      await until('a later lead is a contact', async () => (await find(other)).length > 0);
      expect(await find(email)).toEqual([]);
      // A lead of the same person after the erasure is a new contact.
      await publish(captured(lead));
      await until('the new lead is a contact', async () => (await find(email)).length > 0);
    });
  });
});
