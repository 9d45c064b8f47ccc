import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ServiceName } from '../routes';
import { Gateway } from './gateway';
import { trustedProxies } from './trusted-proxies';

let upstream: Server;
let gateway: Gateway;
let port: number;
let serve: RequestListener;
let isTrusted: (address: string) => boolean;

beforeEach(async () => {
  upstream = createServer((incoming, response) => serve(incoming, response));
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const upstreamPort = (upstream.address() as AddressInfo).port;
  isTrusted = () => false;
  gateway = new Gateway({
    services: new Map<ServiceName, number>([['sms-api', upstreamPort]]),
    isTrusted: (address) => isTrusted(address),
  });
  port = await gateway.listen(0, '127.0.0.1');
});

afterEach(async () => {
  await gateway.stop(0);
  upstream.closeAllConnections();
  upstream.close();
});

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

/** Makes a call and returns the request that the service received. */
async function forwarded(init: { method?: string; headers?: string[]; body?: string } = {}): Promise<IncomingMessage> {
  const arrived = new Promise<IncomingMessage>((resolve) => {
    serve = (incoming, response) => {
      incoming.resume();
      response.end('{}');
      resolve(incoming);
    };
  });
  const { method = 'GET', headers = ['Host', 'api.example:8080'], body } = init;
  const outgoing = request({ host: '127.0.0.1', port, path: '/sms/x?y=%41', method, headers, agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  return arrived;
}

describe('the forwarded request', () => {
  it('has the unchanged path', async () => {
    expect((await forwarded()).url).toBe('/sms/x?y=%41');
  });

  it('has only the forwarding headers of the gateway', async () => {
    const { rawHeaders, headers } = await forwarded({
      headers: [
        'Host',
        'api.example:8080',
        'X-Forwarded-For',
        '6.6.6.6',
        'x-forwarded-for',
        '7.7.7.7',
        'Forwarded',
        'for=6',
        'X-Real-IP',
        '6.6.6.6',
        'X-Forwarded-Host',
        'evil',
        'X-Forwarded-Proto',
        'https',
        'X-Forwarded-Port',
        '1',
      ],
    });
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers['x-forwarded-host']).toBe('api.example:8080');
    expect(headers['x-forwarded-proto']).toBe('http');
    expect(headers.host).toBe('api.example:8080');
    expect(rawHeaders.join().toLowerCase()).not.toMatch(/6\.6|7\.7|evil|forwarded,for|x-real-ip|x-forwarded-port/);
  });

  it('continues the forwarding chain only of a trusted proxy', async () => {
    const headers = ['Host', 'inner', 'X-Forwarded-For', '203.0.113.9'];
    headers.push('X-Forwarded-Proto', 'https', 'X-Forwarded-Host', 'api.example');
    expect((await forwarded({ headers })).headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'inner',
    });
    isTrusted = trustedProxies('127.0.0.1');
    expect((await forwarded({ headers })).headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example',
      host: 'inner',
    });
  });

  it('has the path and the host of a target in absolute form', async () => {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      serve = (incoming, response) => {
        resolve(incoming);
        response.end('{}');
      };
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET http://api.example/sms/x?y=%41 HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n');
    const { url: target, headers } = await arrived;
    expect(target).toBe('/sms/x?y=%41');
    expect(headers.host).toBe('api.example');
    expect(headers['x-forwarded-host']).toBe('api.example');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('has all other headers, including repeated ones', async () => {
    const { rawHeaders } = await forwarded({
      headers: ['Host', 'h', 'X-Request-Id', 'abc', 'X-API-Key', 'one', 'X-API-Key', 'two', 'Idempotency-Key', '"k"'],
    });
    expect(rawHeaders.slice(0, 10)).toEqual([
      'host',
      'h',
      'x-request-id',
      'abc',
      'x-api-key',
      'one',
      'x-api-key',
      'two',
      'idempotency-key',
      '"k"',
    ]);
  });

  it('has no headers that Connection names, except required ones', async () => {
    const { headers } = await forwarded({
      headers: ['Host', 'h', 'Connection', 'x-hop, authorization', 'X-Hop', '1', 'Authorization', 'a'],
    });
    expect(headers).toMatchObject({ authorization: 'a', connection: 'keep-alive' });
    expect(headers['x-hop']).toBeUndefined();
  });

  it.each([
    ['POST', '0'],
    ['GET', undefined],
  ])('has a content length of %s without a body: %s', async (method, length) => {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      serve = (incoming, response) => {
        resolve(incoming);
        response.end();
      };
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(`${method} /sms/x HTTP/1.1\r\nHost: h\r\n\r\n`);
    const { headers } = await arrived;
    expect(headers['content-length']).toBe(length);
    expect(headers['transfer-encoding']).toBeUndefined();
    socket.destroy();
  });
});

describe('streaming', () => {
  it('streams the body and the response', async () => {
    serve = (incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      incoming.on('data', (chunk: Buffer) => response.write(`got ${chunk}`));
      incoming.on('end', () => response.end('.'));
    };
    const outgoing = request(url('/sms/stream'), { method: 'POST' });
    outgoing.write('one');
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.setEncoding('utf8');
    expect(await once(answer, 'data')).toEqual(['got one']);
    // The next part is sent only when the response to the previous part has arrived.
    outgoing.write('two');
    expect(await once(answer, 'data')).toEqual(['got two']);
    outgoing.end();
    expect(await once(answer, 'data')).toEqual(['.']);
  });

  it('closes the connection to the service when the caller disconnects', async () => {
    const gone = new Promise<void>((resolve) => {
      serve = (_incoming, response) => {
        response.write('first');
        response.once('close', resolve);
      };
    });
    const outgoing = request(url('/sms/stream')).end();
    outgoing.on('error', () => undefined);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    response.once('data', () => outgoing.destroy());
    await gone;
  });

  it('ends the response when the service closes the connection', async () => {
    serve = (_incoming, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('part');
      setImmediate(() => response.destroy());
    };
    await expect(fetch(url('/sms/cut')).then((response) => response.text())).rejects.toThrow();
  });

  it('forwards a response that starts before the end of the request body', async () => {
    serve = (_incoming, response) => {
      response.writeHead(413, { connection: 'close' }).end('{"code":"PAYLOAD_TOO_LARGE"}');
    };
    const outgoing = request(url('/sms/send'), { method: 'POST' });
    outgoing.on('error', () => undefined);
    outgoing.write(Buffer.alloc(1_000));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(await text(response)).toContain('PAYLOAD_TOO_LARGE');
    outgoing.destroy();
  });

  it.each([['keep-alive'], ['close']])(
    'delivers an early response to a client that writes 32 MB before it reads, with Connection: %s',
    async (connection) => {
      serve = (incoming, response) => {
        incoming.pause();
        response.writeHead(413, { 'content-length': 7 }).end('refused');
      };
      const socket = connect(port, '127.0.0.1');
      const bytes = 32_000_000;
      socket.write(`POST /sms/x HTTP/1.1\r\nHost: h\r\nContent-Length: ${bytes}\r\nConnection: ${connection}\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(Buffer.alloc(bytes), (error) => (error ? reject(error) : resolve()));
      });
      socket.end();
      expect(await text(socket)).toMatch(/^HTTP\/1.1 413 [^]*refused$/);
    },
  );

  it('reads the rest of a body when no service exists or answers', async () => {
    for (const path of ['/nowhere', '/email/send']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 32000000\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(Buffer.alloc(32_000_000), (error) => (error ? reject(error) : resolve()));
      });
      socket.end();
      expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /);
    }
  });

  it('forwards a large body', async () => {
    serve = (incoming, response) => void incoming.pipe(response);
    const body = 'x'.repeat(5_000_000);
    const response = await fetch(url('/sms/echo'), { method: 'POST', body });
    expect(await response.text()).toBe(body);
  });
});

describe('the response', () => {
  it('is the response of the service without software headers', async () => {
    serve = (_incoming, response) => {
      response
        .writeHead(402, { 'x-powered-by': 'x', 'x-request-id': 'abc', 'set-cookie': ['a=1', 'b=2'] })
        .end('{"code":"C"}');
    };
    const response = await fetch(url('/sms/send'));
    expect(response.status).toBe(402);
    expect(response.headers.get('x-request-id')).toBe('abc');
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('{"code":"C"}');
  });

  it.each([
    ['/nowhere', { code: 'NOT_FOUND', message: expect.any(String) }],
    ['/email/send', { code: 'NOT_FOUND', message: expect.any(String) }],
    ['/c/acme', { ok: false, code: 'NOT_FOUND', message: expect.any(String) }],
    ['/api/auth/login', { ok: false, error: { code: 'NOT_FOUND', message: expect.any(String) } }],
    ['/api/v1/chatapp/quote', { code: 'NOT_FOUND', message: expect.any(String) }],
  ])('is 404 in the format of the service for %s', async (path, body) => {
    const response = await fetch(url(path), { headers: { 'x-request-id': 'mine-1' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('x-request-id')).toBe('mine-1');
    expect(await response.json()).toEqual(body);
  });

  it('is XML for the SOAP endpoint', async () => {
    const { port: upstreamPort } = upstream.address() as AddressInfo;
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    const response = await fetch(url('/sms/soap'), { method: 'POST', body: '<SmsRequest/>' });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(await response.text()).toMatch(/^<SmsResponse .*<ok>false<.*<code>SERVICE_UNAVAILABLE</);
    upstream.listen(upstreamPort, '127.0.0.1');
    await once(upstream, 'listening');
  });

  it('has a new request id if the given one is invalid', async () => {
    const response = await fetch(url('/nowhere'), { headers: { 'x-request-id': 'no blanks' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is 503 while the service is down', async () => {
    serve = (_incoming, response) => response.end('{}');
    const { port: upstreamPort } = upstream.address() as AddressInfo;
    expect((await fetch(url('/sms/x'))).status).toBe(200);
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    const response = await fetch(url('/sms/x'), { method: 'POST', body: 'x' });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toEqual({ code: 'SERVICE_UNAVAILABLE', message: expect.any(String) });
    upstream.listen(upstreamPort, '127.0.0.1');
    await once(upstream, 'listening');
    expect((await fetch(url('/sms/x'))).status).toBe(200);
  });

  it('is 400 with JSON for a request that is not HTTP', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nbad header\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"INVALID_REQUEST"');
  });
});

describe('GET /health/ready', () => {
  it('returns 200 with the worst status if every service is ready, and otherwise 503 with the names of the others', async () => {
    let ready = true;
    let status = 'ok';
    serve = (incoming, response) => {
      expect(incoming.url).toBe('/health/ready');
      response.writeHead(ready ? 200 : 503).end(JSON.stringify({ status, checks: {} }));
    };
    const up = await fetch(url('/health/ready'));
    expect(up.status).toBe(200);
    expect(await up.json()).toEqual({ status: 'ok', services: { 'sms-api': 'ok' } });
    status = 'degraded';
    const degraded = await fetch(url('/health/ready'));
    expect(degraded.status).toBe(200);
    expect(await degraded.json()).toEqual({ status: 'degraded', services: { 'sms-api': 'degraded' } });
    ready = false;
    const down = await fetch(url('/health/ready'));
    expect(down.status).toBe(503);
    expect(await down.json()).toEqual({ status: 'unavailable', services: { 'sms-api': 'unavailable' } });
  });
});
