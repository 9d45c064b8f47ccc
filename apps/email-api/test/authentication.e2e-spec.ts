import { call, send } from './calls';
import { EmailFixture } from './email-fixture';

const SEND = ['POST /email/send', 'POST /email/cancel'];
const READ = ['GET /email/status', 'GET /email/senders', 'GET /email/templates', 'GET /email/balance'];
const both = (routes: string[]): string[] => routes.flatMap((route) => [route, route.replace(' /', ' /api/')]);

describe('authentication', () => {
  let email: EmailFixture;
  beforeAll(async () => {
    email = await EmailFixture.shared();
  });

  const knock = (route: string, key: string | null, body?: string) => {
    const [method = '', path = ''] = route.split(' ');
    return call(email, path, { method, key, ...(body === undefined ? {} : { body }) });
  };

  describe.each([...both([...SEND, ...READ]), 'GET /api/me'])('for %s', (route) => {
    it('returns 401 UNAUTHENTICATED without a key and for an unknown key', async () => {
      for (const key of [null, `msg_live_${'x'.repeat(40)}`]) {
        const answer = await knock(route, key);
        expect([answer.status, answer.body]).toEqual([
          401,
          { code: 'UNAUTHENTICATED', message: expect.any(String) as string },
        ]);
      }
    });

    it('returns 403 FORBIDDEN for an unbound key', async () => {
      const answer = await knock(route, await email.tenants.key(null));
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    });
  });

  it.each(both(SEND))('requires email:send for %s', async (route) => {
    const { organizationId } = await email.tenant();
    const without = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:read', 'sms:send'] }));
    expect([without.status, without.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:send'] }));
    expect(having.status).toBe(400);
  });

  it.each(both(READ))('requires email:read for %s', async (route) => {
    const { organizationId } = await email.tenant();
    const without = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:send', 'sms:read'] }));
    expect([without.status, without.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:read'] }));
    expect(having.status).toBe(route.endsWith('status') ? 400 : 200);
  });

  it.each(both(SEND))('rejects the key of a viewer for %s, regardless of the body', async (route) => {
    const { organizationId } = await email.tenant();
    const answer = await knock(route, await email.tenants.key(organizationId, { role: 'viewer' }), '{');
    expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
  });

  it('rejects the key of a viewer before the Idempotency-Key is checked', async () => {
    const { organizationId } = await email.tenant();
    const headers = { 'Idempotency-Key': '""' };
    const answerFor = async (role: 'viewer' | 'member') => {
      const key = await email.tenants.key(organizationId, { role });
      const { status, body } = await send(email, key, {}, { headers });
      return [status, body['code']];
    };
    expect(await answerFor('viewer')).toEqual([403, 'FORBIDDEN']);
    expect(await answerFor('member')).toEqual([400, 'INVALID_REQUEST']);
  });

  it('allows a viewer to read and a member to send', async () => {
    const { organizationId } = await email.tenant();
    const viewer = await email.tenants.key(organizationId, { role: 'viewer' });
    expect((await call(email, '/email/senders', { key: viewer })).status).toBe(200);
    const member = await email.tenants.key(organizationId, { role: 'member' });
    const answer = await send(email, member, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
    expect(answer.status).toBe(200);
  });

  it('returns 403 IP_NOT_ALLOWED for an address that is not on the allow-list', async () => {
    const { key } = await email.tenant({ ipAllowlist: ['10.0.0.0/8'] });
    const answer = await knock('GET /email/balance', key);
    expect([answer.status, answer.body['code']]).toEqual([403, 'IP_NOT_ALLOWED']);
  });

  it.each([
    ['POST', '/email/status', 'GET'],
    ['GET', '/email/send', 'POST'],
    ['GET', '/email/cancel', 'POST'],
  ])('returns 405 for %s %s with the allowed methods', async (method, path, allowed) => {
    const { key } = await email.tenant();
    const answer = await call(email, path, { method, key });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  });

  it('returns 404 NOT_FOUND for an unknown path', async () => {
    const { key } = await email.tenant();
    const answer = await call(email, '/email/nothing', { key });
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});
