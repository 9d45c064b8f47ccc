import express from 'express';
import request from 'supertest';
import { createLogger } from './logger';
import { createRegistry, HttpMetrics } from './metrics';
import { requestContext } from './request-context';

function appBehind(trustedProxy: string | false) {
  const app = express();
  app.set('trust proxy', trustedProxy);
  app.use(requestContext(new HttpMetrics(createRegistry('one')), createLogger('one', 'silent')));
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
