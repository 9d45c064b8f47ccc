import { ChatappFixture } from './chatapp-fixture';

const SEND = [
  'POST /chatapp/send',
  'GET /chatapp/send',
  'POST /chatapp/mark-read',
  'POST /chatapp/media',
  'POST /chatapp/templates',
  'POST /chatapp/templates/sync',
  'DELETE /chatapp/templates/welcome',
  'POST /chatapp/consents',
];
const READ = [
  'GET /chatapp/status',
  'GET /chatapp/messages',
  'GET /chatapp/account',
  'GET /chatapp/balance',
  'GET /chatapp/consents',
  'GET /chatapp/templates',
  'GET /chatapp/media/4711',
];
const both = (routes: string[]): string[] => routes.flatMap((route) => [route, route.replace(' /', ' /api/')]);

describe('authentication', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
  });

  const knock = (route: string, key: string | null) => {
    const [method = '', path = ''] = route.split(' ');
    return chatapp.call(path, { method, key });
  };

  describe.each([...both([...SEND, ...READ]), 'GET /api/me'])('of %s', (route) => {
    it('returns 401 UNAUTHENTICATED without a key and with an unknown key', async () => {
      for (const key of [null, `msg_live_${'x'.repeat(40)}`]) {
        const answer = await knock(route, key);
        expect([answer.status, answer.body]).toEqual([
          401,
          { code: 'UNAUTHENTICATED', message: expect.any(String) as string },
        ]);
      }
    });

    it('returns 403 FORBIDDEN for a key without an organization', async () => {
      const answer = await knock(route, await chatapp.tenants.key(null));
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    });
  });

  it.each(both(SEND))('requires the scope chatapp:send for %s', async (route) => {
    const { organizationId } = await chatapp.tenant();
    const without = await chatapp.tenants.key(organizationId, { scopes: ['chatapp:read', 'sms:send'] });
    const refused = await knock(route, without);
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await chatapp.tenants.key(organizationId, { scopes: ['chatapp:send'] });
    expect((await knock(route, having)).status).not.toBe(403);
  });

  it.each(both(READ))('requires the scope chatapp:read for %s', async (route) => {
    const { organizationId } = await chatapp.tenant();
    const without = await chatapp.tenants.key(organizationId, { scopes: ['chatapp:send', 'sms:read'] });
    const refused = await knock(route, without);
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
    const having = await chatapp.tenants.key(organizationId, { scopes: ['chatapp:read'] });
    expect((await knock(route, having)).status).not.toBe(403);
  });

  it('returns 403 IP_NOT_ALLOWED for an address outside the allow-list', async () => {
    const { key } = await chatapp.tenant({ ipAllowlist: ['10.0.0.0/8'] });
    const answer = await knock('GET /chatapp/balance', key);
    expect([answer.status, answer.body['code']]).toEqual([403, 'IP_NOT_ALLOWED']);
  });

  it.each([
    ['PUT', '/chatapp/send'],
    ['DELETE', '/chatapp/consents'],
    ['POST', '/chatapp/status'],
  ])('returns 405 for %s %s, and 404 for an unknown path', async (method, path) => {
    const { key } = await chatapp.tenant();
    const answer = await chatapp.call(path, { method, key });
    expect([answer.status, answer.body['code']]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const unknown = await chatapp.call('/chatapp/nothing', { key });
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'NOT_FOUND']);
  });

  it('requires the id of a message for its status', async () => {
    const { key } = await chatapp.tenant();
    for (const query of ['', '?id=', '?id=a&id=b']) {
      const answer = await chatapp.call(`/chatapp/status${query}`, { key });
      expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    }
  });
});
