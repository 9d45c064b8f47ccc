import type { AddressInfo } from 'node:net';
import { until } from '@heliograph/testing';
import express from 'express';
import request from 'supertest';
import { EndedRequests } from './ended-requests';
import { createLogger } from './logger';
import { createRegistry, HttpMetrics } from './metrics';
import { requestContext } from './request-context';
import { Tracing } from './tracing';

function appBehind(trustedProxy: string | false) {
  const app = express();
  app.set('trust proxy', trustedProxy);
  app.use(
    requestContext({
      metrics: new HttpMetrics(createRegistry('one', 'all')),
      log: createLogger('one', 'silent'),
      tracing: new Tracing(null),
      ended: new EndedRequests(),
    }),
  );
  return app;
}

describe('row 18: the headers of a response', () => {
  it('forbid content sniffing', async () => {
    const { headers } = await request(appBehind(false)).get('/');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  });

  it('require TLS for a year if a trusted proxy has terminated TLS', async () => {
    const { headers } = await request(appBehind('loopback')).get('/').set('X-Forwarded-Proto', 'https');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it.each([
    ['a trusted proxy that received plain HTTP', 'loopback', 'http'],
    ['a caller that is not trusted', false, 'https'],
  ] as const)('do not require TLS behind %s', async (_, trustedProxy, scheme) => {
    const { headers } = await request(appBehind(trustedProxy)).get('/').set('X-Forwarded-Proto', scheme);
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the log line of a request', () => {
  const lines: string[] = [];
  const app = express();
  app.use(
    requestContext({
      metrics: new HttpMetrics(createRegistry('one', 'all')),
      log: createLogger('one', 'info', { write: (line: string) => void lines.push(line) }),
      tracing: new Tracing(null),
      ended: new EndedRequests(),
    }),
  );
  app.get('/slow', (_request, response) => void response.write('first'));
  app.get('/{*path}', (_request, response) => void response.json({}));
  beforeEach(() => void lines.splice(0));
  const logged = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has the request id of the response, and no query and no addresses', async () => {
    const { headers } = await request(app).get('/opt-outs/+919876543210?code=482913');
    expect(logged()).toMatchObject([
      { msg: 'request', requestId: headers['x-request-id'], method: 'GET', path: '/opt-outs/…', status: 200 },
    ]);
    expect(lines.join()).not.toMatch(/9876543210|482913/);
  });

  it('is written once for a response that the caller did not await', async () => {
    const server = app.listen(0);
    const { port } = server.address() as AddressInfo;
    const leaving = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${port}/slow`, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
    await until('the request is logged', () => lines.length > 0);
    expect(logged()).toMatchObject([{ path: '/slow', aborted: true }]);
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(['/health/live', '/health/ready', '/metrics', '/metrics?name=x'])('is not written for %s', async (path) => {
    await request(app).get(path);
    await request(app).get('/metrics-of-mine');
    expect(logged()).toMatchObject([{ path: '/metrics-of-mine' }]);
  });
});
