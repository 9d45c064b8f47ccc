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

  describe.each([...both([...SEND, ...READ]), 'GET /api/me'])('of %s', (route) => {
    it('answers 401 UNAUTHENTICATED without a key, and to an unknown one', async () => {
      for (const key of [null, `msg_live_${'x'.repeat(40)}`]) {
        const answer = await knock(route, key);
        expect([answer.status, answer.body]).toEqual([
          401,
          { code: 'UNAUTHENTICATED', message: expect.any(String) as string },
        ]);
      }
    });

    it('answers 403 FORBIDDEN to a key of no organization', async () => {
      const answer = await knock(route, await email.tenants.key(null));
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    });
  });

  it.each(both(SEND))('asks email:send for %s', async (route) => {
    const { organizationId } = await email.tenant();
    const without = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:read', 'sms:send'] }));
    expect([without.status, without.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:send'] }));
    expect(having.status).toBe(400);
  });

  it.each(both(READ))('asks email:read for %s', async (route) => {
    const { organizationId } = await email.tenant();
    const without = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:send', 'sms:read'] }));
    expect([without.status, without.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await knock(route, await email.tenants.key(organizationId, { scopes: ['email:read'] }));
    expect(having.status).toBe(route.endsWith('status') ? 400 : 200);
  });

  it.each(both(SEND))('lets no viewer do %s, whatever the body', async (route) => {
    const { organizationId } = await email.tenant();
    const answer = await knock(route, await email.tenants.key(organizationId, { role: 'viewer' }), '{');
    expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
  });

  it('lets a viewer read, and a member send', async () => {
    const { organizationId } = await email.tenant();
    const viewer = await email.tenants.key(organizationId, { role: 'viewer' });
    expect((await call(email, '/email/senders', { key: viewer })).status).toBe(200);
    const member = await email.tenants.key(organizationId, { role: 'member' });
    const answer = await send(email, member, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
    expect(answer.status).toBe(200);
  });

  it('answers 403 IP_NOT_ALLOWED to an address off the list', async () => {
    const { key } = await email.tenant({ ipAllowlist: ['10.0.0.0/8'] });
    const answer = await knock('GET /email/balance', key);
    expect([answer.status, answer.body['code']]).toEqual([403, 'IP_NOT_ALLOWED']);
  });

  it.each([
    ['POST', '/email/status', 'GET'],
    ['GET', '/email/send', 'POST'],
    ['GET', '/email/cancel', 'POST'],
  ])('answers 405 to %s %s and says what is allowed', async (method, path, allowed) => {
    const { key } = await email.tenant();
    const answer = await call(email, path, { method, key });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  });

  it('answers 404 NOT_FOUND to an unknown path', async () => {
    const { key } = await email.tenant();
    const answer = await call(email, '/email/nothing', { key });
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});
