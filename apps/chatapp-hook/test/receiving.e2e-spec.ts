import { gzipSync } from 'node:zlib';
import { signHub } from '@heliograph/secrets';
import { httpCall, unique, until, type HttpResponse } from '@heliograph/testing';
import { envelope, HookFixture, newNumber, newUpstreamId, PATH, SECRET, textFrom } from './hook-fixture';

const codeOf = ({ status, body }: HttpResponse) => [status, body['code']];

describe('the receiver', () => {
  let hook: HookFixture;
  beforeAll(async () => {
    hook = await HookFixture.shared();
  });

  describe('stores an inbound message', () => {
    it('with type text, including its id, sender, type, recipient, account and the complete object', async () => {
      const number = newNumber();
      const message = textFrom(number, 'Hello 👋', { context: { from: '1', id: 'wamid.x' }, extra: [1, { a: null }] });
      const answer = await hook.post(envelope({ contacts: [], messages: [message] }));
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      const [stored, ...more] = await hook.inbound(message.id);
      expect(more).toEqual([]);
      expect(stored).toMatchObject({
        direction: 'inbound',
        status: 'received',
        sender: number,
        recipient: '+15550783881',
        type: 'text',
        payload: message,
        organizationId: null,
      });
      const [account] = await hook.query<{ id: string; business_account_id: string; display_number: string }>(
        'SELECT id, business_account_id, display_number FROM chatapp.accounts',
      );
      expect(account).toMatchObject({ id: stored!.accountId, business_account_id: '102290129340398' });
      expect(account!.display_number).toBe('+15550783881');
    });

    it('from a number that the organization has messaged, and publishes an event', async () => {
      const tenant = await hook.tenant();
      const { number } = await hook.send(tenant);
      const message = textFrom(number);
      await hook.take(envelope({ messages: [message] }));
      const [stored] = await hook.inbound(message.id);
      expect(stored).toMatchObject(tenant);
      const event = await until('the event is published', () =>
        hook.events('chatapp.inbound.received').find(({ data }) => data['messageId'] === stored!.id),
      );
      expect(event).toMatchObject({ ...tenant, data: { chatappMessageId: message.id, from: number, message } });
    });

    it('once, if it arrives twice in a call, concurrently in two processes, and again later', async () => {
      const other = await hook.beside();
      try {
        const messages = Array.from({ length: 10 }, () => textFrom(newNumber()));
        await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            hook.take(envelope({ messages: n % 2 === 0 ? [...messages, ...messages] : messages.toReversed() }), {
              url: n % 3 === 0 ? other.url : hook.service.url,
            }),
          ),
        );
        await hook.take(envelope({ messages }));
        for (const { id } of messages) {
          const [stored, ...more] = await hook.inbound(id);
          expect(more).toEqual([]);
          const published = () =>
            hook.events('chatapp.inbound.received').filter(({ data }) => data['chatappMessageId'] === id);
          await until('the event is published', () => published().length > 0);
          expect(published().map(({ data }) => data['messageId'])).toEqual([stored!.id]);
        }
      } finally {
        await other.stop();
      }
    });

    it('for an unknown phone number id, without another effect', async () => {
      const tenant = await hook.tenant();
      const { number } = await hook.send(tenant);
      const message = textFrom(number, 'stop');
      const metadata = { display_phone_number: '1', phone_number_id: 'foreign' };
      await hook.take(envelope({ messages: [message], metadata }));
      expect(await hook.inbound(message.id)).toMatchObject([{ accountId: null, organizationId: null }]);
      expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
    });

    it('next to invalid messages', async () => {
      const message = textFrom(newNumber());
      await hook.take(envelope({ messages: [null, { type: 'text' }, message, 7], statuses: ['x', { id: 1 }] }));
      expect(await hook.inbound(message.id)).toHaveLength(1);
    });

    it.each([
      ['NUL', 'a\0b', 'a\ufffdb'],
      ['an unpaired surrogate', 'a\ud800b', 'a\ufffdb'],
      ['bidirectional and invisible characters', '\u202ea\u200b', '\u202ea\u200b'],
    ])('with %s in its text', async (_what, body, kept) => {
      const message = textFrom(newNumber(), body);
      await hook.take(envelope({ messages: [message] }));
      expect(await hook.inbound(message.id)).toMatchObject([{ payload: { text: { body: kept } } }]);
    });

    it('with an unknown type', async () => {
      const message = { ...textFrom(newNumber()), type: 'hologram', hologram: { id: 'h1' } };
      await hook.take(envelope({ messages: [message] }));
      expect(await hook.inbound(message.id)).toMatchObject([{ type: 'hologram', mediaId: 'h1', payload: message }]);
    });
  });

  it('accepts 1,000 updates in a call, including repeated ones', async () => {
    const tenant = await hook.tenant();
    const sent = await hook.send(tenant);
    const messages = Array.from({ length: 900 }, (_, n) => textFrom(newNumber(), `${n}`.padEnd(2_500, '.')));
    const statuses = Array.from({ length: 100 }, (_, n) => ({
      id: n === 50 ? sent.upstreamId : newUpstreamId(),
      status: 'delivered',
      timestamp: '1790000000',
    }));
    await hook.take(envelope({ messages: messages.slice(400, 600) }));
    const body = JSON.stringify(envelope({ messages, statuses }));
    expect(body.length).toBeGreaterThan(2_300_000);
    expect((await hook.post(body)).status).toBe(200);
    const [row] = await hook.query<{ count: number }>(
      `SELECT count(*)::int FROM chatapp.messages WHERE upstream_id = ANY ($1) AND direction = 'inbound'`,
      [messages.map(({ id }) => id)],
    );
    expect(row!.count).toBe(900);
    expect((await hook.message(sent.id)).status).toBe('delivered');
  });

  describe('validates requests and', () => {
    const genuine = () => JSON.stringify(envelope({ messages: [textFrom(newNumber())] }));

    it.each([
      ['a missing signature', () => null],
      ['an empty signature', () => ''],
      ['an invalid signature', () => 'nonsense'],
      ['hex digits without a prefix', (body: string) => signHub(SECRET, body).slice('sha256='.length)],
      ['a shortened signature', (body: string) => signHub(SECRET, body).slice(0, -2)],
      ['a signature with another algorithm', () => `sha1=${'ab'.repeat(20)}`],
      ['a signature with another secret', (body: string) => signHub('other', body)],
      ['a signature with an empty secret', (body: string) => signHub('', body)],
      ['a re-serialized body', (body: string) => signHub(SECRET, JSON.stringify(JSON.parse(body), null, 2))],
      ['two signatures', (body: string) => `${signHub(SECRET, body)}, ${signHub(SECRET, body)}`],
    ])('rejects %s with SIGNATURE_INVALID, and stores nothing', async (_what, sign) => {
      const message = textFrom(newNumber());
      const body = JSON.stringify(envelope({ messages: [message] }));
      const answer = await hook.post(body, { signature: sign(body) });
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: 'SIGNATURE_INVALID', message: expect.any(String) as string },
      ]);
      expect(await hook.inbound(message.id)).toEqual([]);
    });

    it('rejects a wrong signature before it parses the body', async () => {
      expect(codeOf(await hook.post('{', { signature: signHub('other', '{') }))).toEqual([400, 'SIGNATURE_INVALID']);
    });

    it.each([
      ['an empty body', ''],
      ['a body that is not JSON', '{'],
      ['form fields', 'a=1'],
      ['two JSON values', '{}{}'],
      ['a byte order mark', `\ufeff{}`],
      ['an unescaped NUL in a text', '{"a":"\0"}'],
      ['a body that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
      ['UTF-16', Buffer.from('{}', 'utf16le')],
    ])('rejects %s with INVALID_PAYLOAD', async (_what, body) => {
      const answer = await hook.post(body);
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: 'INVALID_PAYLOAD', message: expect.any(String) as string },
      ]);
    });

    it('rejects more than four megabytes before it verifies the signature', async () => {
      const body = Buffer.alloc(4_000_001, ' ');
      expect(codeOf(await hook.post(body, { signature: null }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('rejects a compressed body that expands to more than four megabytes', async () => {
      const headers = { 'Content-Encoding': 'gzip' };
      const answer = await hook.post(gzipSync(Buffer.alloc(40_000_000, ' ')), { headers });
      expect(codeOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('accepts exactly four megabytes', async () => {
      const message = textFrom(newNumber());
      const body = JSON.stringify(envelope({ messages: [message] }));
      expect((await hook.post(body.padEnd(4_000_000, ' '))).status).toBe(200);
      expect(await hook.inbound(message.id)).toHaveLength(1);
    });

    it('accepts a call without a JSON content type and with a query', async () => {
      const body = genuine();
      expect((await hook.post(body, { headers: { 'Content-Type': 'text/plain' } })).status).toBe(200);
      const headers = { 'X-Hub-Signature-256': signHub(SECRET, body) };
      const answer = await httpCall(`${hook.service.url}${PATH}?a=1`, { method: 'POST', headers, body });
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    });
  });

  it.each([
    ['null', null],
    ['an array', [1]],
    ['a string', '"x"'],
    ['an empty object', {}],
    ['the envelope of another product', { object: 'page', entry: [{ messaging: [] }] }],
    ['an envelope without entries', { object: 'chatapp_business_account' }],
    ['an envelope with invalid parts', { object: 'chatapp_business_account', entry: [[], { changes: {} }, 7] }],
    ['2,000,000 levels', '['.repeat(2_000_000) + ']'.repeat(2_000_000)],
    ['a million empty entries', { object: 'chatapp_business_account', entry: Array(1_000_000).fill({}) }],
  ])('acknowledges JSON that is not an envelope, without another effect: %s', async (_what, body) => {
    const answer = await hook.post(typeof body === 'string' ? body : JSON.stringify(body));
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  });

  it('accepts signatures of the old and of the new app secret during a rotation, and of no other', async () => {
    const other = await hook.beside({ CHATAPP_APP_SECRET: 'the-new-secret, the-old-secret' });
    try {
      for (const secret of ['the-old-secret', 'the-new-secret']) {
        const message = textFrom(newNumber());
        const body = JSON.stringify(envelope({ messages: [message] }));
        const answer = await hook.post(body, { url: other.url, signature: signHub(secret, body) });
        expect([secret, answer.status]).toEqual([secret, 200]);
        expect(await hook.inbound(message.id)).toHaveLength(1);
      }
      const refused = await hook.post('{}', { url: other.url, signature: signHub('a-third-secret', '{}') });
      expect(refused.status).toBe(400);
      await expect(hook.beside({ CHATAPP_APP_SECRET: 'a,b,c' })).rejects.toThrow(
        /CHATAPP_APP_SECRET: must be one secret/,
      );
    } finally {
      await other.stop();
    }
  });

  describe('without an app secret', () => {
    it('accepts calls with any signature or none only if CHATAPP_ALLOW_UNSIGNED is set', async () => {
      const other = await hook.beside({ CHATAPP_APP_SECRET: '', CHATAPP_ALLOW_UNSIGNED: 'true' });
      try {
        for (const signature of [null, 'nonsense', signHub('other', 'x')]) {
          const message = textFrom(newNumber());
          await hook.take(envelope({ messages: [message] }), { url: other.url, signature });
          expect(await hook.inbound(message.id)).toHaveLength(1);
        }
      } finally {
        await other.stop();
      }
    });

    it('does not start in any environment, and reports the reason', async () => {
      const start = hook.beside({ CHATAPP_APP_SECRET: '' });
      await expect(start).rejects.toThrow(/CHATAPP_APP_SECRET: must be set/);
    });
  });

  it('has no account while no phone number id is configured, but stores messages', async () => {
    const other = await HookFixture.start({ CHATAPP_PHONE_NUMBER_ID: '', CHATAPP_BUSINESS_ACCOUNT_ID: '' });
    try {
      const message = textFrom(newNumber(), 'stop');
      await other.take(envelope({ messages: [message] }));
      expect(await other.inbound(message.id)).toMatchObject([{ accountId: null, organizationId: null }]);
    } finally {
      await other.stop();
    }
  });

  it('accepts everything while sending is disabled', async () => {
    await hook.query('INSERT INTO chatapp.sending_switch (id, is_enabled) VALUES (1, false)');
    const message = textFrom(newNumber());
    await hook.take(envelope({ messages: [message] }));
    expect(await hook.inbound(message.id)).toHaveLength(1);
  });

  it('is live and ready, and exports metrics', async () => {
    const { url } = hook.service;
    const get = async (path: string) => (await fetch(`${url}${path}`)).text();
    expect(await get('/health/live')).toContain('ok');
    await until('the broker connection is up', async () => (await get('/health/ready')).includes('"bus":"ok"'));
    const message = textFrom(newNumber());
    const statuses = [{ id: `wamid.${unique()}`, status: 'sent' }, { id: 'x', status: 'played' }, {}];
    await hook.take(envelope({ messages: [message, message, {}], statuses }));
    await hook.take(envelope({}, { field: 'calls' }));
    const metrics = await get('/metrics');
    for (const line of [
      'kind="message",result="recorded"',
      'kind="message",result="repeated"',
      'kind="message",result="malformed"',
      'kind="status",result="recorded"',
      'kind="status",result="ignored"',
      'kind="status",result="malformed"',
      'kind="change",result="ignored"',
    ]) {
      expect(metrics).toMatch(new RegExp(`^chatapp_updates_received_total\\{${line}.*\\} [1-9]`, 'm'));
    }
    for (const name of ['chatapp_group_commit_size', 'chatapp_group_commit_seconds', 'relay_published_total']) {
      expect(metrics).toContain(`# TYPE ${name} `);
    }
  });
});
