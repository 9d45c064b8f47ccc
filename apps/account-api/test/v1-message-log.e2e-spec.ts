import { newId } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { AccountFixture, Tenant } from './account-fixture';
import { makePartitions, storeChatapp, storeEmail, storeSms } from './stored-messages';
import { WebhooksFixture } from './webhooks-fixture';

interface Logged {
  id: string;
  channel: string;
  status: string;
  to: string[];
  [field: string]: unknown;
}

interface Answer {
  status: number | string;
  data: Logged[];
  next_cursor?: string;
  [field: string]: unknown;
}

describe('the message log of all channels', () => {
  let webhooks: WebhooksFixture;
  let fixture: AccountFixture;
  let tenant: Tenant;
  let ids: Record<'sms' | 'email' | 'chatapp', string>;
  beforeAll(async () => {
    webhooks = await WebhooksFixture.shared();
    fixture = webhooks.account;
    tenant = webhooks.tenant;
    const { organizationId, workspace } = tenant;
    ids = {
      sms: await storeSms(fixture, organizationId, workspace.id),
      email: await storeEmail(fixture, organizationId, workspace.id),
      chatapp: await storeChatapp(fixture, organizationId, workspace.id),
    };
    await fixture.database.query(
      `UPDATE email.recipients SET last_error = '550 5.1.1 no such user' WHERE message_id = $1 AND position = 1`,
      [ids.email],
    );
  });
  afterAll(() => webhooks.receiver.stop());

  const get = (path: string, key = tenant.key): Promise<Answer> =>
    fixture.v1('GET', `/api/v1/messages${path}`, { key });
  const found = async (query: string): Promise<string[]> => (await get(query)).data.map(({ channel }) => channel);

  it('lists the messages of all channels with the same fields, newest first', async () => {
    const { data } = await get('');
    expect(data.map(({ id }) => id)).toEqual([ids.chatapp, ids.email, ids.sms]);
    expect(data[2]).toMatchObject({
      channel: 'sms',
      direction: 'outbound',
      status: 'delivered',
      to: ['+919811111111'],
      recipients: 1,
      sender: 'DEMOIN',
      preview: 'x',
      credits_cost: 1,
      price: null,
    });
    expect(data[1]).toMatchObject({ status: 'delivered', to: ['ann@example.com', 'bob@example.com'], preview: 'Hi' });
    expect(data[0]).toMatchObject({ status: 'read', price: 40, currency: 'INR', credits_cost: null });
    expect(new Set(data.map((message) => Object.keys(message).sort().join()))).toHaveProperty('size', 1);
  });

  it('reads one page after the other without gaps and repetitions', async () => {
    const seen: string[] = [];
    for (let query = '?limit=1'; ;) {
      const { data, next_cursor: next } = await get(query);
      seen.push(...data.map(({ id }) => id));
      if (next === undefined) break;
      query = `?limit=1&cursor=${next}`;
    }
    expect(seen).toEqual([ids.chatapp, ids.email, ids.sms]);
  });

  it('applies every filter', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await found('?channel=email')).toEqual(['email']);
    expect(await found('?status=delivered')).toEqual(['email', 'sms']);
    expect(await found('?status=read')).toEqual(['chatapp']);
    expect(await found('?status=bounced')).toEqual([]);
    expect(await found(`?to=${encodeURIComponent('+919811111111')}`)).toEqual(['chatapp', 'sms']);
    expect(await found('?to=BOB@example.com')).toEqual(['email']);
    expect(await found('?sender=DEMOIN')).toEqual(['sms']);
    expect(await found('?sender=hello@demo.example')).toEqual(['email']);
    expect(await found('?direction=inbound')).toEqual([]);
    expect(await found(`?template=${newId()}`)).toEqual([]);
    expect(await found(`?campaign_id=${newId()}`)).toEqual([]);
    expect(await found('?reference=none')).toEqual([]);
    expect(await found(`?from=${soon}`)).toEqual([]);
    expect(await found(`?until=${soon}`)).toEqual(['chatapp', 'email', 'sms']);
    expect(await found(`?workspace_id=${tenant.workspace.id}`)).toEqual(['chatapp', 'email', 'sms']);
  });

  it.each([
    '?channel=fax',
    '?status=lost',
    '?direction=up',
    '?to=',
    '?to=%00',
    '?sender=%00',
    '?template=%00',
    '?reference=%00',
    '?campaign_id=x',
    '?from=yesterday',
    '?limit=0',
    '?cursor=x',
    '?recipient=x',
  ])('refuses %s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  });

  it('finds nothing of another organization', async () => {
    const other = await fixture.tenant();
    expect((await get('', other.key)).data).toEqual([]);
    expect((await get('?to=ann@example.com', other.key)).data).toEqual([]);
    for (const id of [...Object.values(ids), newId(), 'x']) {
      expect(await get(`/${id}`, other.key)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      const resent = await fixture.v1('POST', `/api/v1/messages/${id}/resend`, { key: other.key });
      expect(resent).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    expect(await get(`?workspace_id=${other.workspace.id}`)).toMatchObject({ status: 404 });
  });

  it('returns a message with its content and a send with the same content', async () => {
    expect(await get(`/${ids.sms}`)).toMatchObject({
      text: 'x',
      encoding: 'gsm-7',
      segments: 1,
      request_id: 'request-1',
      repeat: { path: '/api/v1/sms/send', body: { to: '+919811111111', message: 'x' } },
    });
    expect(await get(`/${ids.email}`)).toMatchObject({
      html: null,
      repeat: null,
      recipient_states: [
        { to: 'ann@example.com', kind: 'to', status: 'delivered', error: null },
        { to: 'bob@example.com', status: 'failed', error: '550 5.1.1 no such user' },
      ],
    });
    expect(await get(`/${ids.chatapp}`)).toMatchObject({ text: null, repeat: null });
    const refused = await fixture.v1('POST', `/api/v1/messages/${ids.chatapp}/resend`, { key: tenant.key });
    expect(refused).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  });

  it('continues behind messages that do not match, in pages of bounded cost', async () => {
    const { organizationId, workspace, key } = await fixture.tenant();
    await makePartitions(fixture.database, ['sms.messages']);
    // 12,000 delivered messages, behind which one failed message is hidden.
    await fixture.database.query(
      `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, credits_cost, segments, flash, status,
         encoding, country, header, recipient, body)
       SELECT ('0190' || lpad(to_hex(n), 8, '0') || '70008000000000000000')::uuid, $1, $2, $2, now(), 1, 1, false,
         CASE n WHEN 1 THEN 'failed' ELSE 'delivered' END, 'gsm-7', 'IN', 'DEMOIN', '+919811111111', 'x'
       FROM generate_series(1, 12000) AS n`,
      [organizationId, workspace.id],
    );
    const pages: number[] = [];
    for (let query = '?status=failed'; ;) {
      const { data, next_cursor: next } = await get(query, key);
      pages.push(data.length);
      if (next === undefined) break;
      query = `?status=failed&cursor=${next}`;
    }
    expect(pages).toEqual([0, 0, 1]);
  });

  it('streams changed messages to the organization only', async () => {
    const other = await fixture.tenant();
    const [own, foreign] = await Promise.all([streamOf(tenant.key), streamOf(other.key)]);
    await until('the stream is open', () => Promise.resolve(own.text().includes('event: open')));
    await webhooks.publish(tenant, ids.sms);
    await until('the message is streamed', () => Promise.resolve(own.text().includes(ids.sms)));
    expect(own.text()).toContain('event: message\ndata: {"message":{"id"');
    expect(foreign.text()).not.toContain(ids.sms);
    own.close();
    foreign.close();
  });

  it('gives an organization without streams the place of the oldest stream of the largest one', async () => {
    const other = await fixture.tenant();
    const service = await fixture.beside({ ACCOUNT_MAX_STREAMS: '2' });
    try {
      const { url } = service.service;
      const first = await streamOf(tenant.key, url);
      const second = await streamOf(tenant.key, url);
      const refused = await fetch(`${url}/api/v1/messages/stream`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
      const foreign = await streamOf(other.key, url);
      await until('the stream of the other organization is open', () =>
        Promise.resolve(foreign.text().includes('event: open')),
      );
      await until('the oldest stream has ended', () => Promise.resolve(first.hasEnded()));
      expect(second.hasEnded()).toBe(false);
      second.close();
      foreign.close();
    } finally {
      await service.service.stop();
    }
  });

  it('refuses HEAD on the stream', async () => {
    const headers = { authorization: `Bearer ${tenant.key}` };
    const response = await fetch(`${fixture.service.url}/api/v1/messages/stream`, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('requires a credential', async () => {
    for (const path of ['', '/stream', `/${ids.sms}`]) {
      expect(await get(path, 'wrong')).toMatchObject({ status: 401 });
    }
  });

  interface OpenStream {
    text: () => string;
    hasEnded: () => boolean;
    close: () => void;
  }

  async function streamOf(key: string, url = fixture.service.url): Promise<OpenStream> {
    const abort = new AbortController();
    const response = await fetch(`${url}/api/v1/messages/stream`, {
      headers: { authorization: `Bearer ${key}` },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    let hasEnded = false;
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
      hasEnded = true;
    })().catch(() => undefined);
    return { text: () => text, hasEnded: () => hasEnded, close: () => abort.abort() };
  }
});
