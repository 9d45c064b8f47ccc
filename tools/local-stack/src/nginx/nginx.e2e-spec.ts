import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { GatewayFixture } from './gateway.fixture';

const SESSION_TOKEN = 'k3Jd82hsLq0Zp4Tn6Vb1Xc9Wm7Ry5Ua2Ee8Gi';

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('the production gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
  });
  afterAll(() => gateway?.stop());

  it('logs neither query strings nor tokens of paths', async () => {
    await gateway.get('/sms?from=ACME&var.code=482913');
    await gateway.get(`/api/auth/password-resets/${SESSION_TOKEN}/confirm`);
    await gateway.get('/api/workspaces/0190f7a2-6a52-7000-8000-5d1f1c2b3a49');
    await gateway.get('/api/workspaces/1/suppressions/ann@example.com?x=1');
    await gateway.get('/api/workspaces/1/suppressions/ann%40example.com/x');
    await gateway.get('/api/workspaces/1/suppressions/+919876543210');
    await until('the requests are logged', () => gateway.log.includes('0190f7a2-6a52-7000-8000-5d1f1c2b3a49'));
    const { log } = gateway;
    expect(log).toContain('"path":"/sms"');
    expect(log).toContain('"path":"/api/auth/password-resets/***/confirm"');
    expect(log).not.toContain('482913');
    expect(log).not.toMatch(/ann(?:@|%40)example|9876543210/);
    expect(log).not.toContain(SESSION_TOKEN);
    for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('durationSeconds');
  });

  it.each([
    ['of the caller', 'order-4711', /^order-4711$/],
    ['of its own if the caller has sent none', undefined, /^[0-9a-f]{32}$/],
    ['of its own if that of the caller is not valid', 'a b', /^[0-9a-f]{32}$/],
  ])('sends the service, and logs, a request id %s', async (_, given, expected) => {
    const path = `/sms/${randomUUID()}`;
    const { body } = await gateway.get(path, given === undefined ? {} : { 'x-request-id': given });
    const received = (body as IncomingHttpHeaders)['x-request-id'];
    expect(received).toMatch(expected);
    const entry = (): string | undefined => gateway.log.split('\n').find((line) => line.includes(path));
    await until('the request is logged', () => entry() !== undefined);
    expect(JSON.parse(entry() ?? '')).toMatchObject({ requestId: received });
  });

  it.each([
    ['an invalid request line', 'GET\r\n\r\n', 400],
    ['an unknown HTTP version', 'GET /sms HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['no Host header', 'GET /sms HTTP/1.1\r\n\r\n', 400],
    ['an invalid header', 'GET /sms HTTP/1.1\r\nHost: a b c\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST /sms HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['an unknown transfer encoding', 'POST /sms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n', 400],
    ['a line that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['headers that are too large', `GET /sms HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
  ])('responds to %s in the format of the API', async (_, bytes, status) => {
    const answer = await gateway.raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/json/i);
    expect(bodyOf(answer)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  const refusal = { code: 'METHOD_NOT_ALLOWED', message: expect.any(String) as string };
  it.each([
    ['/sms/send', refusal],
    ['/api/v1/credits', refusal],
    ['/nothing', refusal],
    ['/api/v1/chat/conversations', { ok: false, ...refusal }],
    ['/c/acme-help', { ok: false, ...refusal }],
    ['/api/organization', { ok: false, error: refusal }],
    ['/console', { ok: false, error: refusal }],
  ])('responds to TRACE %s with 405, Allow and a body in the format of the path', async (path, body) => {
    const answer = await gateway.raw(`TRACE ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: GET, HEAD, POST, /im);
    expect(bodyOf(answer)).toEqual(body);
  });

  it('responds to TRACE of the SOAP endpoint in XML', async () => {
    const answer = await gateway.raw('TRACE /sms/soap HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*content-type: application\/xml/i);
    expect(answer).toContain('<code>METHOD_NOT_ALLOWED</code>');
  });

  it('forwards bodies of the sizes that the services accept', async () => {
    const send = async (path: string, bytes: number): Promise<number> =>
      (await fetch(`http://127.0.0.1:${gateway.port}${path}`, { method: 'POST', body: Buffer.alloc(bytes) })).status;
    expect(await send('/api/v1/sms/bulk', 5_000_000)).toBe(200);
    expect(await send('/api/v1/quote', 10_000_000)).toBe(200);
    expect(await send('/api/v1/email/bulk', 10_000_000)).toBe(200);
    // The service refuses it in the envelope of the request.
    expect(await send('/sms/soap', 10_000_000)).toBe(200);
  });

  it('does not trust forwarded headers of callers', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    };
    const { body, headers: received } = await gateway.get('/sms', headers);
    expect(body).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    expect((body as IncomingHttpHeaders)['x-forwarded-host']).toBe(`127.0.0.1:${gateway.port}`);
    expect(received.get('strict-transport-security')).toBeNull();
  });
});

describe('the readiness of a service behind the production gateway', () => {
  it('is not that of another service at the address of its upstream', async () => {
    const smsApi = createServer((request, response) => {
      response.writeHead(request.url === '/health/ready/sms-api' ? 200 : 404, { 'content-type': 'application/json' });
      response.end('{}');
    });
    await new Promise<void>((resolve) => smsApi.listen(0, '127.0.0.1', resolve));
    const gateway = await GatewayFixture.start({ upstreamPort: (smsApi.address() as AddressInfo).port });
    try {
      expect(await gateway.get('/health/ready/sms-api')).toMatchObject({ status: 200 });
      expect(await gateway.get('/health/ready/email-api')).toMatchObject({ status: 404 });
    } finally {
      await gateway.stop();
      smsApi.close();
    }
  });
});

describe('the production gateway behind a proxy that terminates TLS', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({ include: 'set_real_ip_from 127.0.0.0/8;' });
  });
  afterAll(() => gateway?.stop());

  it('takes address, scheme and host of the caller from the proxy, and sets HSTS', async () => {
    const headers = {
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.acme.example',
    };
    const { body, headers: received } = await gateway.get('/sms', headers);
    expect(body).toMatchObject({
      host: 'api.acme.example',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.acme.example',
    });
    expect(received.get('strict-transport-security')).toBe('max-age=31536000');
    const missing = await gateway.get('/nothing', headers);
    expect(missing).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(missing.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('the production gateway while an instance of a service ends', () => {
  const calls = [
    ['POST', '/sms/send'],
    ['GET', '/sms/send?to=%2B919876543210'],
    ['GET', '/api/email/send?to=ann@example.com'],
    ['GET', '/sms/status?id=1'],
    ['DELETE', '/api/organization/api-keys/1'],
  ] as const;

  it('sends a request whose connection is refused to another instance', async () => {
    // The shared memory of nginx remembers a failed instance for ten seconds, so each call has its own gateway.
    for (const [method, path] of calls) {
      const gateway = await GatewayFixture.start({ endedPort: await freePort() });
      try {
        for (let call = 0; call < 3; call++) {
          const { status } = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { method });
          expect([method, path, status]).toEqual([method, path, 200]);
        }
      } finally {
        await gateway.stop();
      }
    }
  });

  it('sends nothing to an instance that is not ready, after somebody asked for the readiness', async () => {
    let received = 0;
    const ending = createServer((request, response) => {
      if (request.url !== '/health/ready/sms-api') received++;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => ending.listen(0, '127.0.0.1', resolve));
    const gateway = await GatewayFixture.start({ endedPort: (ending.address() as AddressInfo).port });
    try {
      for (let call = 0; call < 2; call++) expect((await gateway.get('/health/ready/sms-api')).status).toBe(200);
      for (let call = 0; call < 5; call++) expect((await gateway.get('/sms/status?id=1')).status).toBe(200);
      expect(received).toBe(0);
    } finally {
      await gateway.stop();
      await new Promise((resolve) => ending.close(resolve));
    }
  });

  it.each([
    ['POST', '/sms/send'],
    ['GET', '/sms/send?to=%2B919876543210'],
    ['GET', '/api/chatapp/send?to=%2B919876543210'],
  ])('never repeats %s %s once it was sent', async (method, path) => {
    let received = 0;
    const crashing = createServer((request) => {
      received++;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => crashing.listen(0, '127.0.0.1', resolve));
    const { port } = crashing.address() as AddressInfo;
    const gateway = await GatewayFixture.start({ upstreamPort: port, endedPort: port });
    try {
      const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { method });
      expect([response.status, received]).toEqual([503, 1]);
      expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      await gateway.stop();
      await new Promise((resolve) => crashing.close(resolve));
    }
  });
});
