import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UNREACHABLE_HOSTS } from '@heliograph/testing';
import { HttpDelivery } from './http-delivery';

describe('a delivery over HTTP', () => {
  const servers: Server[] = [];
  const deliveries: HttpDelivery[] = [];
  afterAll(async () => {
    await Promise.all(deliveries.map((one) => one.stop()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const listen = async (respond: RequestListener): Promise<number> => {
    const server = createServer(respond);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const deliveryWith = (options: Partial<ConstructorParameters<typeof HttpDelivery>[0]> = {}): HttpDelivery => {
    const delivery = new HttpDelivery({
      allowHttp: true,
      allowedNetworks: ['127.0.0.0/8'],
      ownUrls: [],
      timeoutMs: 500,
      ...options,
    });
    deliveries.push(delivery);
    return delivery;
  };

  it('rejects a name that resolves to another address after it was checked', async () => {
    let calls = 0;
    const port = await listen((_request, response) => response.end('reached'));
    const addresses = ['127.0.0.1', '10.0.0.1'];
    const resolve = () => Promise.resolve([{ address: addresses[Math.min(calls++, 1)]!, family: 4 }]);
    const delivery = deliveryWith({ resolve });
    const first = await delivery.post(delivery.targetOf(`http://rebound.example:${port}/`), {}, '{}');
    expect(first).toMatchObject({ statusCode: 200, responseBody: 'reached' });
    await delivery.stop();
    const next = deliveryWith({ resolve });
    expect(await next.post(next.targetOf(`http://rebound.example:${port}/`), {}, '{}')).toMatchObject({
      statusCode: null,
      error: expect.stringContaining('globally reachable'),
    });
  });

  it('resolves again for a new connection, and refuses an address that has changed meanwhile', async () => {
    let address = '127.0.0.1';
    const port = await listen((_request, response) => response.writeHead(200, { connection: 'close' }).end('reached'));
    const delivery = deliveryWith({ resolve: () => Promise.resolve([{ address, family: 4 }]) });
    const post = () => delivery.post(delivery.targetOf(`http://rebound.example:${port}/`), {}, '{}');
    expect((await post()).statusCode).toBe(200);
    address = '169.254.169.254';
    expect(await post()).toMatchObject({ statusCode: null, error: expect.stringContaining('globally reachable') });
  });

  it('refuses addresses in the URL, whatever a check at the creation said', async () => {
    let connections = 0;
    const port = await listen((_request, response) => {
      connections++;
      response.end('reached');
    });
    const delivery = deliveryWith({ allowedNetworks: [] });
    for (const host of UNREACHABLE_HOSTS) {
      const { statusCode, error } = await delivery.post(delivery.targetOf(`http://${host}:${port}/`), {}, '{}');
      expect([host, statusCode, error]).toEqual([host, null, 'url must resolve to globally reachable addresses only.']);
    }
    expect(connections).toBe(0);
  });

  it('has an error without NUL and half of a character', async () => {
    const error = Object.assign(new Error(`\0${'x'.repeat(489)}😀`), { code: 'ETEST12' });
    const delivery = deliveryWith({ resolve: () => Promise.reject(error) });
    const answer = await delivery.post(delivery.targetOf('http://broken.example/'), {}, '{}');
    expect(answer.error).toBe(`ETEST12: \ufffd${'x'.repeat(489)}\ufffd`);
  });

  it('uses no proxy of the environment', async () => {
    let proxied = 0;
    const proxy = await listen((_request, response) => {
      proxied++;
      response.end();
    });
    const port = await listen((_request, response) => response.end('reached'));
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy}`;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      const answer = await deliveryWith().post(deliveryWith().targetOf(`http://127.0.0.1:${port}/`), {}, '{}');
      expect([answer.responseBody, proxied]).toEqual(['reached', 0]);
    } finally {
      delete process.env['NODE_USE_ENV_PROXY'];
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('connects to the address that was checked', async () => {
    const port = await listen(({ headers }, response) => response.end(headers.host));
    const delivery = deliveryWith({ resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
    const answer = await delivery.post(delivery.targetOf(`http://pinned.example:${port}/`), {}, '{}');
    expect(answer).toMatchObject({ statusCode: 200, responseBody: `pinned.example:${port}` });
  });

  it('does not follow redirects, stores one kilobyte of the response and discards the rest', async () => {
    const port = await listen(({ url }, response) => {
      if (url === '/redirect') response.writeHead(307, { location: '/target' }).end();
      else if (url === '/endless') {
        response.writeHead(200);
        const send = () => response.write('x'.repeat(65_536), (error) => !error && setImmediate(send));
        send();
      } else response.end('target');
    });
    const delivery = deliveryWith();
    expect((await delivery.post(delivery.targetOf(`http://127.0.0.1:${port}/redirect`), {}, '{}')).statusCode).toBe(
      307,
    );
    const endless = await delivery.post(delivery.targetOf(`http://127.0.0.1:${port}/endless`), {}, '{}');
    expect(endless).toMatchObject({ statusCode: 200, responseBody: 'x'.repeat(1_024) });
  });

  it('is aborted at the time limit without a response or with an incomplete body', async () => {
    const port = await listen(({ url }, response) => {
      if (url === '/drip') setInterval(() => response.write('.'), 50).unref();
    });
    const delivery = deliveryWith();
    for (const path of ['/silent', '/drip']) {
      const answer = await delivery.post(delivery.targetOf(`http://127.0.0.1:${port}${path}`), {}, '{}');
      expect([path, answer.statusCode, answer.error]).toEqual([path, null, 'No complete response within 0.5 s.']);
    }
  });

  it('reports refused connections, unknown names and untrusted certificates', async () => {
    const delivery = deliveryWith({
      resolve: (host) =>
        host === 'plain.example'
          ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
          : Promise.reject(new Error('getaddrinfo ENOTFOUND unknown.example')),
    });
    const port = await listen((_request, response) => response.end());
    expect((await delivery.post(delivery.targetOf('http://127.0.0.1:1/'), {}, '{}')).error).toContain('ECONNREFUSED');
    expect((await delivery.post(delivery.targetOf('http://unknown.example/'), {}, '{}')).error).toContain('ENOTFOUND');
    expect((await delivery.post(delivery.targetOf(`https://plain.example:${port}/`), {}, '{}')).statusCode).toBeNull();
  });
});
