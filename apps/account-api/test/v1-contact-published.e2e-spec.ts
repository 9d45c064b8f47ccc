import { chatappConsentChanged, emailUnsubscribed, leadCaptured, type EventEnvelope } from '@heliograph/contracts';
import { newId, poolOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { tapEvents, unique, until, type EventTap } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { storeLead } from './bot-inbox-fixture';

interface Contact {
  id: string;
  email: string | null;
  updated_at: string;
}

describe('contact events', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let tap: EventTap;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tap = await tapEvents(fixture.service.amqpPrefix);
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });
  afterAll(() => tap.close());

  const call = <T = Contact>(method: string, path: string, body?: object) =>
    fixture.v1<T>(method, `/api/v1/contacts${path}`, { key: tenant.key, body });
  const emit = async (...events: EventEnvelope[]) => {
    const client = await poolOf(fixture.factory.dataSource).connect();
    await addToOutbox(client, events);
    client.release();
  };
  const about = (data: object) => ({
    organizationId: tenant.organizationId,
    workspaceId: tenant.workspace.id,
    correlationId: 'request-7',
    data,
  });
  /** Returns type and record of the events of the tenant, in order. */
  const events = () =>
    tap.events
      .filter(({ type, organizationId }) => type.startsWith('contact.') && organizationId === tenant.organizationId)
      .map(({ type, data }) => ({ type, ...(data as { contact: Contact }).contact }));
  const types = () => events().map(({ type }) => type);
  const published = (count: number) =>
    until(`${count} events are published`, () => events().length >= count && events());
  const list = () => call<{ data: Contact[] }>('GET', '?limit=100&sort=created_at').then(({ data }) => data);
  /** Waits for a later event. Events are published in order, so an unexpected event would arrive before it. */
  const settle = async () => {
    const before = events().length;
    await call('POST', '', { email: address('settle') });
    await published(before + 1);
  };
  const address = (name: string) => `${name}-${unique()}@example.com`.toLowerCase();
  const upload = async (rows: string[], options: object) => {
    const data = new FormData();
    data.set('file', new Blob([rows.join('\n')]), 'contacts.csv');
    data.set('options', JSON.stringify(options));
    const response = await fetch(`${fixture.service.url}/api/v1/contacts/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}` },
      body: data,
    });
    expect(response.status).toBe(202);
  };

  it('are published for the contacts that an import creates and updates', async () => {
    const known = address('known');
    const kept = address('kept');
    const ann = address('ann');
    const bob = address('bob');
    await call('POST', '', { email: known });
    const { id: groupId } = await call<{ id: string }>('POST', '/groups', { name: 'Imported' });
    await upload(['email,first_name', `${ann},Ann`, `${bob},Bob`, `${known},Known`, 'nobody,Nobody', `${ann},Anna`], {
      group_ids: [groupId],
      consent: { email: 'opted_in' },
    });
    await published(4);
    await call('POST', '', { email: kept });
    await upload(['email,first_name', `${kept},Kept`], { on_conflict: 'skip' });
    await until('the second import has ended', async () => {
      const [row] = await fixture.database.query<{ skipped: number }>(
        `SELECT skipped FROM contacts.imports WHERE organization_id = $1 AND status = 'completed' AND skipped > 0`,
        [tenant.organizationId],
      );
      return row !== undefined;
    });
    await settle();
    const [, ...imported] = events();
    expect(imported.map(({ type, email }) => `${type} ${email}`)).toEqual([
      ...[ann, bob].map((email) => `contact.created ${email}`),
      `contact.updated ${known}`,
      ...[kept, events().at(-1)!.email].map((email) => `contact.created ${email}`),
    ]);
    expect(imported[0]).toMatchObject({
      first_name: 'Anna',
      source: 'import',
      groups: [{ id: groupId, name: 'Imported' }],
      consent: { email: 'opted_in' },
    });
    const stored = await list();
    expect(imported[0]).toEqual({ type: 'contact.created', ...stored.find(({ email }) => email === ann) });
  });

  it('are published once for a lead of a bot, and not if the lead changes nothing', async () => {
    const email = address('lead');
    await fixture.call('POST', `/api/workspaces/${tenant.workspace.id}/bots`, {
      key: tenant.key,
      body: { id: `bot_${unique()}`, name: 'Leads' },
    });
    const [bot] = await fixture.database.query<{ public_id: string }>(
      'SELECT public_id FROM bots.bots WHERE organization_id = $1',
      [tenant.organizationId],
    );
    const home = { organizationId: tenant.organizationId, workspaceId: tenant.workspace.id };
    const lead = await storeLead(fixture, home, bot!.public_id, { email });
    const data = { ...lead, botId: bot!.public_id, formId: 'lead', answers: [], occurredAt: new Date().toISOString() };
    const captured = composeEvent(leadCaptured, about(data) as never);
    await emit(captured);
    await published(1);
    await emit(captured, composeEvent(leadCaptured, about(data) as never));
    const { id } = (await list())[0]!;
    await call('PUT', `/${id}`, { last_name: null });
    await published(2);
    await settle();
    expect(events()).toMatchObject([
      { type: 'contact.created', id, email, first_name: 'Lead', source: 'bot' },
      { type: 'contact.updated', id },
      { type: 'contact.created' },
    ]);
  });

  it('are published once when consent is given or withdrawn on a channel', async () => {
    const email = address('ann');
    const { id } = await call('POST', '', { email, phone: '+919833333333', consent: { email: 'opted_in' } });
    const unsubscribed = composeEvent(
      emailUnsubscribed,
      about({
        messageId: newId(),
        recipient: email.toUpperCase(),
        url: null,
        reason: null,
        scope: 'marketing',
      }) as never,
    );
    await emit(unsubscribed);
    await published(2);
    const consent = { consentId: newId(), number: '+919833333333', status: 'opted_out', source: 'keyword_stop' };
    await emit(
      unsubscribed,
      composeEvent(chatappConsentChanged, about({ ...consent, occurredAt: new Date().toISOString() }) as never),
    );
    await published(3);
    await settle();
    expect(events().slice(0, 3)).toMatchObject([
      { type: 'contact.created', id, consent: { email: 'opted_in', chatapp: 'unknown' } },
      { type: 'contact.updated', id, consent: { email: 'opted_out', chatapp: 'unknown' } },
      { type: 'contact.updated', id, consent: { email: 'opted_out', chatapp: 'opted_out' } },
    ]);
    expect(events()).toHaveLength(4);
  });

  it('are published for contacts that join or leave a group, but not for existing members', async () => {
    const one = await call('POST', '', { email: address('a') });
    const other = await call('POST', '', { email: address('b') });
    const { id: groupId } = await call<{ id: string }>('POST', '/groups', { name: 'Group' });
    await call('POST', `/groups/${groupId}/contacts`, { contact_ids: [one.id] });
    await call('POST', `/groups/${groupId}/contacts`, { contact_ids: [one.id, other.id] });
    await call('DELETE', `/groups/${groupId}/contacts`, { contact_ids: [one.id] });
    await published(5);
    const groups = [{ id: groupId, name: 'Group' }];
    expect(events().slice(2)).toMatchObject([
      { type: 'contact.updated', id: one.id, groups },
      { type: 'contact.updated', id: other.id, groups },
      { type: 'contact.updated', id: one.id, groups: [] },
    ]);
  });

  it('are published for an erasure by address', async () => {
    const email = address('erased');
    const { id } = await call('POST', '', { email });
    await published(1);
    const body = { address: email };
    await fixture.call('POST', '/api/organization/erasures', { key: tenant.key, body });
    await published(2);
    await settle();
    expect(types()).toEqual(['contact.created', 'contact.deleted', 'contact.created']);
    expect(events()[1]).toMatchObject({ id, email });
  });
});
