import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { createLogger, Health } from '@heliograph/service-kit';
import { loadChatappApiConfig } from '../src/chatapp-api.config';
import { GraphClient, type SendAnswer } from '../src/upstream/graph-client';
import { GraphTransport } from '../src/upstream/graph-transport';
import { cut, json, silence, UpstreamServer } from './upstream-server';

const TOKEN = 'EAAG-a-token-of-the-tests';
const TAKEN = { contacts: [{ input: '+1', wa_id: '15550100002' }], messages: [{ id: 'mid.1' }] };

describe('the client of the provider', () => {
  let upstream: UpstreamServer;
  let log: string[];
  const transports: GraphTransport[] = [];
  const registry = new Registry();
  const health = new Health();

  const clientOf = (
    more: Record<string, string> = {},
    metrics = new Registry(),
    checks = new Health(),
  ): GraphClient => {
    const config = loadChatappApiConfig({
      DATABASE_URL: 'postgres://localhost/none',
      AMQP_URL: 'amqp://localhost',
      CHATAPP_GRAPH_URL: upstream.url,
      CHATAPP_ACCESS_TOKEN: TOKEN,
      CHATAPP_PHONE_NUMBER_ID: '111',
      CHATAPP_BUSINESS_ACCOUNT_ID: '222',
      CHATAPP_TIMEOUT_MS: '300',
      CHATAPP_CONNECTIONS: '2',
      ...more,
    });
    const destination = { write: (line: string) => void log.push(line) };
    const transport = new GraphTransport(config, metrics, createLogger('spec', 'debug', destination), checks);
    transports.push(transport);
    return new GraphClient(config, transport);
  };
  const send = (client: GraphClient): Promise<SendAnswer> =>
    client.sendMessage({ to: '+15550100002', type: 'text', text: { body: 'a secret text' } }, 'our-id');

  beforeEach(async () => {
    upstream = await UpstreamServer.start();
    log = [];
  });
  afterEach(async () => {
    await upstream.stop();
    await Promise.all(transports.splice(0).map((transport) => transport.beforeApplicationShutdown()));
    expect(log.join('')).not.toContain(TOKEN);
    expect(log.join('')).not.toContain('a secret text');
  });

  it('continues the trace of a send at the provider, if it is recorded', async () => {
    upstream.scripts = [json(200, TAKEN)];
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const client = clientOf();
    await client.sendMessage(
      { to: '+15550100002', type: 'text', text: { body: 'a secret text' } },
      'our-id',
      traceparent,
    );
    await send(client);
    expect(upstream.requests.map(({ headers }) => [headers['traceparent'], headers['content-type']])).toEqual([
      [traceparent, 'application/json'],
      [undefined, 'application/json'],
    ]);
  });

  it('posts a send in the format of the provider, and parses the response', async () => {
    let body = '';
    upstream.scripts = [
      (request, response) => {
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        json(200, TAKEN)(request, response);
      },
    ];
    expect(await send(clientOf())).toEqual({ kind: 'taken', upstreamId: 'mid.1', upstreamNumber: '+15550100002' });
    const [request] = upstream.requests;
    expect([request?.method, request?.url, request?.headers.authorization]).toEqual([
      'POST',
      '/v21.0/111/messages',
      `Bearer ${TOKEN}`,
    ]);
    expect(JSON.parse(body)).toEqual({
      messaging_product: 'chatapp',
      recipient_type: 'individual',
      to: '+15550100002',
      type: 'text',
      text: { body: 'a secret text' },
      biz_opaque_callback_data: 'our-id',
    });
  });

  it('reuses its connections and opens no more than its limit', async () => {
    upstream.scripts = [json(200, TAKEN)];
    const client = clientOf({ CHATAPP_TIMEOUT_MS: '10000' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(client)));
    expect(answers.every(({ kind }) => kind === 'taken')).toBe(true);
    expect(upstream.connections).toBeLessThanOrEqual(2);
  });

  it('supports a base URL with a path', async () => {
    await clientOf({ CHATAPP_GRAPH_URL: `${upstream.url}/graph/`, CHATAPP_GRAPH_VERSION: 'v23.0' }).markRead('mid.1');
    expect(upstream.requests[0]?.url).toBe('/graph/v23.0/111/messages');
  });

  describe('reports a send as', () => {
    const kindOf = async (client: GraphClient) => {
      const answer = await send(client);
      return [answer.kind, answer.kind === 'refused' ? answer.error.code : null];
    };

    it('refused after one attempt, when the provider rejects it or fails', async () => {
      for (const [status, body, code] of [
        [400, { error: { code: 131047 } }, 'CHATAPP_REQUEST_INVALID'],
        [429, '', 'CHATAPP_RATE_LIMITED'],
        [500, '<html>', 'CHATAPP_UPSTREAM'],
        [503, { error: { code: 2 } }, 'CHATAPP_UPSTREAM'],
        [302, '', 'CHATAPP_UPSTREAM'],
      ] as const) {
        const before = upstream.requests.length;
        upstream.scripts = [json(status, body, { location: `${upstream.url}/elsewhere` })];
        expect(await kindOf(clientOf())).toEqual(['refused', code]);
        expect(upstream.requests).toHaveLength(before + 1);
      }
    });

    it('refused after a second attempt, when the provider is unreachable', async () => {
      const client = clientOf();
      await upstream.stop();
      expect(await kindOf(client)).toEqual(['refused', 'CHATAPP_UPSTREAM']);
      await upstream.restart();
      expect(log.join('')).toContain('ECONNREFUSED');
    });

    it('refused, when no connection becomes free in time', async () => {
      upstream.scripts = Array.from({ length: 5 }, () => silence);
      const client = clientOf({ CHATAPP_CONNECTIONS: '1' });
      const kinds = await Promise.all(Array.from({ length: 5 }, () => kindOf(client)));
      // On a slow machine, a second request may be written after the first one timed out. Every written request is
      // unanswered.
      const written = upstream.requests.length;
      expect(kinds.filter(([kind]) => kind === 'unanswered')).toHaveLength(written);
      expect(kinds.filter(([kind, code]) => kind === 'refused' && code === 'CHATAPP_UPSTREAM')).toHaveLength(
        5 - written,
      );
      expect(written).toBeGreaterThan(0);
      expect(written).toBeLessThan(5);
    });

    it.each([
      ['the connection was closed after the request was written', cut],
      ['no response arrived in time', silence],
      ['the response was not JSON', json(200, 'OK')],
      ['the response contained no message id', json(200, {})],
      ['the response was too large', json(200, `"${'x'.repeat(1_100_000)}"`)],
    ])('unanswered after one attempt, when %s', async (_, script) => {
      upstream.scripts = [script];
      expect(await kindOf(clientOf())).toEqual(['unanswered', null]);
      expect(upstream.requests).toHaveLength(1);
    });
  });

  it('repeats reads, but never writes', async () => {
    const page = { data: [], paging: { cursors: { after: 'x' } } };
    const client = clientOf();
    for (const failure of [cut, json(500, '')]) {
      upstream.scripts = [failure, json(200, page)];
      expect(await client.listTemplates(null)).toEqual({ templates: [], unusable: 0, next: null });
    }
    upstream.scripts = [cut, json(500, ''), json(200, 'bytes')];
    await expect(client.openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
    upstream.scripts = [json(503, ''), json(200, 'bytes')];
    const { body } = await client.openMedia(`${upstream.url}/a`);
    expect(await body.toArray()).toEqual([Buffer.from('bytes')]);
    upstream.scripts = [cut, json(200, { success: true })];
    await expect(client.markRead('mid.1')).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
    upstream.scripts = [cut, json(200, { success: true })];
    await expect(client.deleteTemplate('x')).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
  });

  it('follows cursors, but never the URL of the next page', async () => {
    const paging = { next: 'http://169.254.169.254/latest', cursors: { after: 'c&1' } };
    const data = [
      { id: '1', name: 'a', language: 'en', category: 'UTILITY', status: 'approved', components: [{ type: 'BODY' }] },
      { id: '2', name: 'b', language: 'en', category: 'SOMETHING', status: 'APPROVED' },
      'x',
    ];
    upstream.scripts = [json(200, { data, paging })];
    const client = clientOf();
    const page = await client.listTemplates(null);
    expect(page).toMatchObject({
      templates: [{ name: 'a', category: 'utility', status: 'APPROVED' }],
      unusable: 2,
      next: 'c&1',
    });
    await client.listTemplates(page.next, 'a');
    expect(upstream.requests.map(({ url }) => url)).toEqual([
      '/v21.0/222/message_templates?fields=id%2Cname%2Clanguage%2Cstatus%2Ccategory%2Ccomponents%2Cmessage_send_ttl_seconds&limit=100',
      '/v21.0/222/message_templates?fields=id%2Cname%2Clanguage%2Cstatus%2Ccategory%2Ccomponents%2Cmessage_send_ttl_seconds&limit=100&name=a&after=c%261',
    ]);
  });

  it('accepts a file size as text, and rejects a record without a web URL', async () => {
    const record = { id: '7', url: 'https://x.example/a', mime_type: 'image/png', sha256: 'ab', file_size: '42' };
    upstream.scripts = [json(200, record), json(200, { ...record, url: 'file:///etc/passwd' })];
    const client = clientOf();
    expect(await client.lookupMedia('7')).toMatchObject({ sizeBytes: 42, mimeType: 'image/png' });
    await expect(client.lookupMedia('7')).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
  });

  describe('opens a media file', () => {
    it('with the token, without following redirects', async () => {
      const client = clientOf();
      upstream.scripts = [json(200, 'bytes')];
      const { body, sizeBytes } = await client.openMedia(`${upstream.url}/attachments?mid=1`);
      expect([await body.toArray(), sizeBytes]).toEqual([[Buffer.from('bytes')], null]);
      expect([upstream.requests[0]?.url, upstream.requests[0]?.headers.authorization]).toEqual([
        '/attachments?mid=1',
        `Bearer ${TOKEN}`,
      ]);
      upstream.scripts = [json(302, '', { location: `${upstream.url}/elsewhere` })];
      await expect(client.openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
      expect(upstream.requests).toHaveLength(2);
    });

    it.each([
      ['gone', json(404, ''), 'NOT_FOUND'],
      ['expired', json(410, ''), 'NOT_FOUND'],
      ['failing', json(500, ''), 'CHATAPP_UPSTREAM'],
      ['silent', silence, 'CHATAPP_UPSTREAM'],
      ['interrupted', cut, 'CHATAPP_UPSTREAM'],
    ])('unless it is %s', async (_, script, code) => {
      upstream.scripts = [script];
      await expect(clientOf().openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code });
    });

    it('never sends the token over plain HTTP when the provider uses TLS', async () => {
      const client = clientOf({ CHATAPP_GRAPH_URL: 'https://graph.example' });
      await expect(client.openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
      expect(upstream.requests).toEqual([]);
    });
  });

  it('exports metrics of its calls, and reports an unavailable provider while the service remains ready', async () => {
    const client = clientOf({}, registry, health);
    upstream.scripts = [json(200, TAKEN), silence, json(200, TAKEN)];
    await send(client);
    expect(await health.look()).toEqual({ ready: true, checks: { 'chat-app upstream': 'ok' }, required: [] });
    await send(client);
    expect(await health.look()).toEqual({ ready: true, checks: { 'chat-app upstream': 'down' }, required: [] });
    await send(client);
    expect((await health.look()).checks).toEqual({ 'chat-app upstream': 'ok' });
    const text = await registry.metrics();
    expect(text).toMatch(/chatapp_upstream_duration_seconds_count\{call="send",outcome="2xx"\} 2/);
    expect(text).toMatch(/chatapp_upstream_duration_seconds_count\{call="send",outcome="unanswered"\} 1/);
  });

  it('is not configured without the token and both ids, and then sends no requests', async () => {
    for (const missing of ['CHATAPP_ACCESS_TOKEN', 'CHATAPP_PHONE_NUMBER_ID', 'CHATAPP_BUSINESS_ACCOUNT_ID']) {
      const client = clientOf({ [missing]: '' });
      expect(client.isConfigured).toBe(false);
      await expect(send(client)).rejects.toMatchObject({ code: 'CHATAPP_NOT_CONFIGURED', status: 503 });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('times out when the provider accepts connections but never completes a handshake', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    try {
      const client = clientOf({ CHATAPP_GRAPH_URL: `https://127.0.0.1:${(mute.address() as AddressInfo).port}` });
      expect(await send(client)).toMatchObject({ kind: 'refused', error: { code: 'CHATAPP_UPSTREAM' } });
    } finally {
      for (const socket of sockets) socket.destroy();
      mute.close();
    }
  });
});
