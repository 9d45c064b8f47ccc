import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { createLogger, Health } from '@heliograph/platform';
import { until } from '@heliograph/testing';
import { loadChatappApiSettings } from '../src/chatapp-api.config';
import { GraphClient, type SendAnswer } from '../src/upstream/graph-client';
import { ChatappFixture } from './chatapp-fixture';
import { FORM_TYPE, frameOf } from './media-upload';
import { cut, json, silence, UpstreamServer } from './upstream-server';

const TOKEN = 'EAAG-a-token-of-the-tests';
const TAKEN = { contacts: [{ input: '+1', wa_id: '15550100002' }], messages: [{ id: 'mid.1' }] };

describe('the client of the upstream', () => {
  let upstream: UpstreamServer;
  let log: string[];
  const clients: GraphClient[] = [];
  const registry = new Registry();
  const health = new Health();

  const clientOf = (
    more: Record<string, string> = {},
    metrics = new Registry(),
    checks = new Health(),
  ): GraphClient => {
    const settings = loadChatappApiSettings({
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
    const client = new GraphClient(settings, metrics, createLogger('spec', 'debug', destination), checks);
    clients.push(client);
    return client;
  };
  const send = (client: GraphClient): Promise<SendAnswer> =>
    client.sendMessage({ to: '+15550100002', type: 'text', text: { body: 'a secret text' } }, 'our-id');

  beforeEach(async () => {
    upstream = await UpstreamServer.start();
    log = [];
  });
  afterEach(async () => {
    await upstream.stop();
    await Promise.all(clients.splice(0).map((client) => client.beforeApplicationShutdown()));
    expect(log.join('')).not.toContain(TOKEN);
    expect(log.join('')).not.toContain('a secret text');
  });

  it('posts a send as the platform wants it, and reads what it answers', async () => {
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

  it('keeps its connections, and has no more of them than it may', async () => {
    upstream.scripts = [json(200, TAKEN)];
    const client = clientOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(client)));
    expect(answers.every(({ kind }) => kind === 'taken')).toBe(true);
    expect(upstream.connections).toBeLessThanOrEqual(2);
  });

  it('may find the platform below a path', async () => {
    await clientOf({ CHATAPP_GRAPH_URL: `${upstream.url}/graph/`, CHATAPP_GRAPH_VERSION: 'v23.0' }).markRead('mid.1');
    expect(upstream.requests[0]?.url).toBe('/graph/v23.0/111/messages');
  });

  describe('knows of a send that it was', () => {
    const kindOf = async (client: GraphClient) => {
      const answer = await send(client);
      return [answer.kind, answer.kind === 'refused' ? answer.error.code : null];
    };

    it('refused, where the platform says so or fails, and asks once', async () => {
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

    it('refused, where nobody could be reached, after a second try', async () => {
      const client = clientOf();
      await upstream.stop();
      expect(await kindOf(client)).toEqual(['refused', 'CHATAPP_UPSTREAM']);
      await upstream.restart();
      expect(log.join('')).toContain('ECONNREFUSED');
    });

    it('refused, where it found no free connection in time', async () => {
      upstream.scripts = [silence];
      const client = clientOf({ CHATAPP_CONNECTIONS: '1' });
      expect(await Promise.all([kindOf(client), kindOf(client)])).toEqual([
        ['unanswered', null],
        ['refused', 'CHATAPP_UPSTREAM'],
      ]);
      expect(upstream.requests).toHaveLength(1);
    });

    it.each([
      ['the connection was cut after it was written', cut],
      ['no answer came in time', silence],
      ['the answer was no JSON', json(200, 'OK')],
      ['the answer named no message', json(200, {})],
      ['the answer was endless', json(200, `"${'x'.repeat(1_100_000)}"`)],
    ])('perhaps taken, where %s, and asks once', async (_, script) => {
      upstream.scripts = [script];
      expect(await kindOf(clientOf())).toEqual(['unanswered', null]);
      expect(upstream.requests).toHaveLength(1);
    });
  });

  it('asks a second time for what changes nothing, and never for what does', async () => {
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

  it('follows cursors alone, never the address of the next page', async () => {
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
      '/v21.0/222/message_templates?fields=id%2Cname%2Clanguage%2Cstatus%2Ccategory%2Ccomponents&limit=100',
      '/v21.0/222/message_templates?fields=id%2Cname%2Clanguage%2Cstatus%2Ccategory%2Ccomponents&limit=100&name=a&after=c%261',
    ]);
  });

  it('takes a file size as text, and refuses a record without an address of the web', async () => {
    const record = { id: '7', url: 'https://x.example/a', mime_type: 'image/png', sha256: 'ab', file_size: '42' };
    upstream.scripts = [json(200, record), json(200, { ...record, url: 'file:///etc/passwd' })];
    const client = clientOf();
    expect(await client.lookupMedia('7')).toMatchObject({ sizeBytes: 42, mimeType: 'image/png' });
    await expect(client.lookupMedia('7')).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
  });

  describe('opens a file', () => {
    it('with the token, and follows nowhere', async () => {
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
      ['cut', cut, 'CHATAPP_UPSTREAM'],
    ])('unless it is %s', async (_, script, code) => {
      upstream.scripts = [script];
      await expect(clientOf().openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code });
    });

    it('never sends the token in the clear where the platform is reached over TLS', async () => {
      const client = clientOf({ CHATAPP_GRAPH_URL: 'https://graph.example' });
      await expect(client.openMedia(`${upstream.url}/a`)).rejects.toMatchObject({ code: 'CHATAPP_UPSTREAM' });
      expect(upstream.requests).toEqual([]);
    });
  });

  it('counts its calls, and tells of an upstream that is away without calling the service unready', async () => {
    const client = clientOf({}, registry, health);
    upstream.scripts = [json(200, TAKEN), silence, json(200, TAKEN)];
    await send(client);
    expect(await health.look()).toEqual({ ready: true, checks: { 'chat-app upstream': 'ok' } });
    await send(client);
    expect(await health.look()).toEqual({ ready: true, checks: { 'chat-app upstream': 'down' } });
    await send(client);
    expect((await health.look()).checks).toEqual({ 'chat-app upstream': 'ok' });
    const text = await registry.metrics();
    expect(text).toMatch(/chatapp_upstream_duration_seconds_count\{call="send",outcome="2xx"\} 2/);
    expect(text).toMatch(/chatapp_upstream_duration_seconds_count\{call="send",outcome="unanswered"\} 1/);
  });

  it('is not configured without token and both ids, and then asks nobody', async () => {
    for (const missing of ['CHATAPP_ACCESS_TOKEN', 'CHATAPP_PHONE_NUMBER_ID', 'CHATAPP_BUSINESS_ACCOUNT_ID']) {
      const client = clientOf({ [missing]: '' });
      expect(client.isConfigured).toBe(false);
      await expect(send(client)).rejects.toMatchObject({ code: 'CHATAPP_NOT_CONFIGURED', status: 503 });
    }
    expect(upstream.requests).toEqual([]);
  });

  it('gives a platform up that takes connections and never finishes a handshake', async () => {
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

describe('an upload through the service', () => {
  let chatapp: ChatappFixture;
  let upstream: UpstreamServer;
  beforeAll(async () => {
    upstream = await UpstreamServer.start();
    chatapp = await ChatappFixture.start({
      environment: { CHATAPP_GRAPH_URL: upstream.url, CHATAPP_TIMEOUT_MS: '60000' },
    });
  });
  afterAll(async () => {
    await upstream.stop();
    await chatapp.stop();
  });

  /** Promises a megabyte and sends the beginning of it. */
  const begin = async () => {
    const { key } = await chatapp.tenant();
    const socket = connect(Number(new URL(chatapp.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /chatapp/media HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${FORM_TYPE}\r\n` +
        `Content-Length: 1000000\r\n\r\n`,
    );
    socket.write(frameOf('a.bin').before);
    socket.write(Buffer.alloc(100_000, 1));
    return socket;
  };

  it('goes on to the platform while it comes, and is cut there when the caller goes away', async () => {
    let received = 0;
    let isCut = false;
    upstream.scripts = [
      (request) => {
        request.on('data', (chunk: Buffer) => (received += chunk.length));
        request.once('close', () => (isCut = !request.complete));
        request.on('error', () => undefined);
      },
    ];
    const socket = await begin();
    await until('the platform has the beginning', () => received > 50_000);
    expect(upstream.requests.at(-1)?.headers['transfer-encoding']).toBe('chunked');
    socket.destroy();
    await until('the platform is told', () => isCut);
    expect(await chatapp.rows('SELECT id FROM chatapp.media')).toEqual([]);
  });

  it('is answered as soon as the platform refuses it, before its end', async () => {
    upstream.scripts = [
      (request, response) => {
        request
          .on('error', () => undefined)
          .once('data', () => {
            response.writeHead(400, { 'content-type': 'application/json' });
            response.end('{"error":{"code":131053,"message":"(#131053) Media upload error"}}');
          });
      },
    ];
    const socket = await begin();
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    await until('the caller is told', () => answer.includes('CHATAPP_REQUEST_INVALID'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await until(
      'the connection is cut, for the rest of the body does not come',
      () => socket.destroyed || socket.readableEnded,
    );
  });

  it('is given up when the platform takes no more of it', async () => {
    upstream.scripts = [(request) => void request.on('error', () => undefined).pause()];
    const quick = await chatapp.beside({ CHATAPP_TIMEOUT_MS: '400' });
    try {
      const { key } = await chatapp.tenant();
      const { before, after } = frameOf('a.bin');
      const answer = await quick.call('/chatapp/media', {
        method: 'POST',
        key,
        headers: { 'Content-Type': FORM_TYPE },
        body: Buffer.concat([before, Buffer.alloc(30_000_000, 1), after]),
      });
      expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
    } finally {
      await quick.service.stop();
    }
  });
});
