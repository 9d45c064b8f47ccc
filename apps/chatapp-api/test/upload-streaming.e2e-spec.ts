import { connect } from 'node:net';
import { until } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';
import { FORM_TYPE, frameOf } from './media-upload';
import { UpstreamServer } from './upstream-server';

describe('an upload through the service', () => {
  let chatapp: ChatappFixture;
  let upstream: UpstreamServer;
  beforeAll(async () => {
    upstream = await UpstreamServer.start();
    const environment = { CHATAPP_GRAPH_URL: upstream.url, CHATAPP_TIMEOUT_MS: '60000' };
    chatapp = await (await ChatappFixture.shared()).beside(environment);
  });
  afterAll(async () => {
    await upstream.stop();
    await chatapp.service.stop();
  });

  /** Declares one megabyte and sends only the beginning. */
  const begin = ({ key }: ChatappTenant) => {
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

  it('is streamed to the provider, and aborted there when the caller disconnects', async () => {
    let received = 0;
    let isCut = false;
    upstream.scripts = [
      (request) => {
        request.on('data', (chunk: Buffer) => (received += chunk.length));
        request.once('close', () => (isCut = !request.complete));
        request.on('error', () => undefined);
      },
    ];
    const tenant = await chatapp.tenant();
    const socket = begin(tenant);
    await until('the provider has received the beginning', () => received > 50_000);
    expect(upstream.requests.at(-1)?.headers['transfer-encoding']).toBe('chunked');
    socket.destroy();
    await until('the connection to the provider is closed', () => isCut);
    const media = await chatapp.rows('SELECT id FROM chatapp.media WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    expect(media).toEqual([]);
  });

  it('gets a response as soon as the provider rejects it, before the upload ends', async () => {
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
    const socket = begin(await chatapp.tenant());
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    await until('the caller has received a response', () => answer.includes('CHATAPP_REQUEST_INVALID'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await until(
      'the connection is closed, because the rest of the body does not arrive',
      () => socket.destroyed || socket.readableEnded,
    );
  });

  it('is aborted when the provider stops reading it', async () => {
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
