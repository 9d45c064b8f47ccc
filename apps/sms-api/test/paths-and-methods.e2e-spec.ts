import { call, codeOf, postJson } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('paths and methods', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant();
  });

  it.each([
    '/',
    '/sms',
    '/sms/',
    '/sms/nothing',
    '/api',
    '/api/sms',
    '/api/sms/x',
    '/api/me/x',
    '/v1',
    '/sms/status/1',
  ])('GET %s returns 404 NOT_FOUND', async (path) => {
    for (const key of [null, tenant.key]) {
      const answer = await call(sms, path, { key });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ code: 'NOT_FOUND', message: expect.any(String) as string });
    }
  });

  it.each([
    ['PUT', '/sms/send', 'GET, POST'],
    ['DELETE', '/sms/send', 'GET, POST'],
    ['PATCH', '/api/sms/send', 'GET, POST'],
    ['OPTIONS', '/sms/send', 'GET, POST'],
    ['POST', '/sms/status', 'GET'],
    ['DELETE', '/api/sms/status', 'GET'],
    ['POST', '/sms/senders', 'GET'],
    ['POST', '/sms/templates', 'GET'],
    ['PUT', '/sms/balance', 'GET'],
    ['GET', '/sms/cancel', 'POST'],
    ['POST', '/api/me', 'GET'],
  ])('%s %s returns 405 METHOD_NOT_ALLOWED with Allow: %s', async (method, path, allow) => {
    const answer = await call(sms, path, { method, key: tenant.key });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.body).toEqual({ code: 'METHOD_NOT_ALLOWED', message: expect.any(String) as string });
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'GET'])('%s /sms/soap returns 405 in XML', async (method) => {
    for (const prefix of ['', '/api']) {
      const answer = await call(sms, `${prefix}/sms/soap`, { method, key: tenant.key });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toContain('POST');
      expect(answer.body).toMatchObject({ ok: 'false', error: { code: 'METHOD_NOT_ALLOWED' } });
    }
  });

  it.each(['/sms/send', '/api/sms/send'])('HEAD %s returns 405 and sends nothing', async (path) => {
    const own = await sms.tenant({ credits: 5 });
    const to = sms.recipient();
    const query = `?from=${own.sender.header}&to=${to.slice(1)}&message=x`;
    const answer = await call(sms, path + query, { method: 'HEAD', key: own.key });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect((await call(sms, '/sms/balance', { key: own.key })).body['balance']).toBe(5);
    expect(await sms.database.query('SELECT 1 FROM sms.messages WHERE recipient = $1', [to])).toEqual([]);
  });

  it('HEAD of a read operation returns the headers of GET without a body', async () => {
    const answer = await call(sms, '/sms/senders', { method: 'HEAD', key: tenant.key });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('a path with invalid percent-encoding returns a 4xx', async () => {
    const answer = await call(sms, '/sms/%E0%A4%A', { key: tenant.key });
    expect([400, 404]).toContain(answer.status);
    expect(Object.keys(answer.body)).toEqual(['code', 'message']);
  });

  it('every response has a new X-Request-Id', async () => {
    const answers = await Promise.all([
      call(sms, '/api/me', { key: tenant.key }),
      call(sms, '/api/me'),
      call(sms, '/nothing'),
      call(sms, '/sms/soap', { method: 'POST' }),
      call(sms, '/health/live'),
    ]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('a valid X-Request-Id of the caller is used in the response and stored with the message', async () => {
    const id = 'order-42/retry:1';
    const answer = await postJson(
      sms,
      tenant.key,
      { from: tenant.sender.header, to: sms.recipient(), message: 'x' },
      { headers: { 'X-Request-Id': id } },
    );
    expect(answer.headers.get('x-request-id')).toBe(id);
    const [row] = await sms.database.query<{ correlation_id: string }>(
      'SELECT correlation_id FROM sms.messages WHERE id = $1',
      [answer.body['messageId']],
    );
    expect(row?.correlation_id).toBe(id);
  });

  it.each(['a b', 'x'.repeat(129), '<script>', '"quoted"', 'é'])(
    'an invalid X-Request-Id %j is replaced',
    async (given) => {
      const answer = await call(sms, '/api/me', { key: tenant.key, headers: { 'X-Request-Id': given } });
      expect(answer.headers.get('x-request-id')).toMatch(UUID);
    },
  );

  it('responses expose no information about the software', async () => {
    const { headers } = await call(sms, '/api/me', { key: tenant.key });
    expect(headers.get('x-powered-by')).toBeNull();
    expect(codeOf(await call(sms, '/sms/nothing'))).toBe('NOT_FOUND');
  });
});
