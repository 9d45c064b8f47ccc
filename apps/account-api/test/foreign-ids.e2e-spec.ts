import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';
import { objectIdsOf, type ObjectIds } from './foreign-object-ids';
import { bodyFor } from './foreign-id-bodies';
import { fill, hasBody, routesOf, type Route } from './routes';

/** Values of the other parameters of a path; `id` is the workspace. */
const MINE: Record<string, string> = { botId: 'bot_mine', creditType: 'sms' };

describe('an id of another tenant', () => {
  let fixture: AccountFixture;
  let mine: Tenant;
  let theirs: Tenant;
  let objectIds: ObjectIds;
  let cookie: string;
  /** A key that is bound to a workspace of the caller's organization, and objects of another workspace of it. */
  let bound: { key: string; objectIds: ObjectIds };
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    mine = await fixture.tenant();
    theirs = await fixture.tenant();
    cookie = await fixture.login(mine.owner.email);
    const bot = { id: 'bot_mine', name: 'Mine' };
    await fixture.call('POST', `/api/workspaces/${mine.workspace.id}/bots`, { key: mine.key, body: bot });
    objectIds = await objectIdsOf(fixture, theirs);
    const sibling = { ...mine, workspace: await fixture.factory.workspace(mine.organizationId) };
    bound = {
      key: await fixture.factory.key(mine.organizationId, { workspaceId: mine.workspace.id }),
      objectIds: await objectIdsOf(fixture, sibling, 'sibling'),
    };
  });

  /** Returns the tenant routes with a path parameter, each with an id of another tenant and with an unknown id. */
  function namings(of: ObjectIds = objectIds): { route: Route; foreign: string; unknown: string }[] {
    return routesOf(fixture.service).flatMap((route) => {
      const { path, access } = route;
      if (!/:\w+/.test(path) || typeof access !== 'object' || access.kind === 'operator') return [];
      const parameters = [...path.matchAll(/:(\w+)/g)].filter(([, name]) => name !== 'creditType');
      return parameters.map(({ 0: parameter, 1: name, index }) => {
        const place = path.slice(0, index + parameter.length);
        const their = of[place];
        if (their === undefined) throw new Error(`${place}: the test has no id of another organization for it`);
        const with_ = (id: string) => fill(path, (other) => (other === name ? id : (MINE[other] ?? mine.workspace.id)));
        return { route, foreign: with_(their), unknown: with_(place.endsWith(':invoiceId') ? 'in_nobodys' : newId()) };
      });
    });
  }

  it('gets the same response as an unknown id on every route, for sessions and for keys', async () => {
    const before = await everything();
    const wrong: string[] = [];
    const all = namings();
    expect(all.length).toBeGreaterThan(25);
    for (const { route, foreign, unknown } of all) {
      const body = hasBody(route) ? { body: bodyFor(route, mine.workspace.id) } : {};
      const callers = route.path.startsWith('/api/auth') ? [{ cookie }] : [{ cookie }, { key: mine.key }];
      for (const caller of callers) {
        const their = await fixture.call(route.method, foreign, { ...caller, ...body });
        const nobodys = await fixture.call(route.method, unknown, { ...caller, ...body });
        const isAlike = JSON.stringify(their.error) === JSON.stringify(nobodys.error);
        if (their.status !== 404 || nobodys.status !== 404 || !isAlike) {
          wrong.push(
            `${route.method} ${route.path}: ${their.status} ${JSON.stringify(their.error)}, ${nobodys.status}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(await everything()).toEqual(before);
  }, 300_000);

  it('of another workspace gets the same response as an unknown id for a key that is bound to a workspace', async () => {
    const before = await everything();
    const wrong: string[] = [];
    const all = [...namings(), ...namings(bound.objectIds)].filter(({ route }) => !route.path.startsWith('/api/auth'));
    expect(all.length).toBeGreaterThan(50);
    for (const { route, foreign, unknown } of all) {
      const body = hasBody(route) ? { body: bodyFor(route, mine.workspace.id) } : {};
      const their = await fixture.call(route.method, foreign, { key: bound.key, ...body });
      const nobodys = await fixture.call(route.method, unknown, { key: bound.key, ...body });
      // A bound key cannot call routes of the organization.
      const { access } = route;
      const isOfOrganization = typeof access === 'object' && access.kind === 'organization' && !access.boundKeys;
      const status = isOfOrganization ? 403 : 404;
      const isAlike = JSON.stringify(their.error) === JSON.stringify(nobodys.error);
      if (their.status === status && nobodys.status === status && isAlike) continue;
      wrong.push(`${route.method} ${foreign}: ${their.status} ${JSON.stringify(their.error)}, ${nobodys.status}`);
    }
    expect(wrong).toEqual([]);
    expect(await everything()).toEqual(before);
  }, 300_000);

  it('of another workspace is neither listed nor found by a filter for a key that is bound to a workspace', async () => {
    const { key, objectIds: siblings } = bound;
    const id = siblings['/api/workspaces/:id']!;
    const list = await fixture.call<{ workspaces: { id: string }[] }>('GET', '/api/workspaces', { key });
    expect(list.data.workspaces.map((workspace) => workspace.id)).toEqual([mine.workspace.id]);
    const place = `/api/workspaces/${mine.workspace.id}`;
    const named = (path: string) => siblings[`/api/workspaces/:id/${path}`] ?? '';
    for (const path of [
      `conversations?botId=${named('bots/:botId')}`,
      `submissions?botId=${named('bots/:botId')}`,
      `submissions?contactId=${named('contacts/:contactId')}`,
      `submissions?conversationId=${named('conversations/:cid')}`,
      `submissions.csv?botId=${named('bots/:botId')}`,
    ]) {
      expect([path, (await fixture.call('GET', `${place}/${path}`, { key })).status]).toEqual([path, 404]);
    }
    const transfer = { toWorkspaceId: id, creditType: 'sms', amount: 1 };
    const moved = await fixture.call('POST', `${place}/credits/transfers`, { key, body: transfer });
    expect(moved).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });

  it.each(['1', 'null', '%00', "'; DROP TABLE users.users; --", '../../etc/passwd', 'a'.repeat(300)])(
    'with the value %j gets 404 NOT_FOUND on every route',
    async (id) => {
      for (const { route } of namings()) {
        const path = fill(route.path, (name) => (name === 'creditType' ? 'sms' : id)).replace('%2500', '%00');
        const body = hasBody(route) ? { body: bodyFor(route, mine.workspace.id) } : {};
        expect([path, (await fixture.call(route.method, path, { cookie, ...body })).status]).toEqual([path, 404]);
      }
    },
  );

  it('is rejected in a request body', async () => {
    const transfer = { toWorkspaceId: theirs.workspace.id, creditType: 'sms', amount: 1 };
    await fixture.factory.topUp(mine.workspace, 'sms', 10);
    const path = `/api/workspaces/${mine.workspace.id}/credits/transfers`;
    expect(await fixture.call('POST', path, { key: mine.key, body: transfer })).toMatchObject({
      status: 422,
      error: { code: 'VALIDATION_ERROR' },
    });
    const bound = { name: 'bound', workspaceId: theirs.workspace.id };
    expect((await fixture.call('POST', '/api/organization/api-keys', { key: mine.key, body: bound })).status).toBe(422);
    const sender = { header: 'MINE', onboardingId: objectIds['/api/organization/sms/onboardings/:entryId'] };
    expect((await fixture.call('POST', '/api/organization/sms/senders', { key: mine.key, body: sender })).status).toBe(
      404,
    );
    const session = await fixture.call('PATCH', '/api/auth/session', {
      cookie,
      body: { workspaceId: theirs.workspace.id },
    });
    expect(session.status).toBe(404);
  });

  it('reveals nothing in a cursor or a filter', async () => {
    const cursor = Buffer.from(theirs.workspace.id).toString('base64url');
    const list = await fixture.call<{ workspaces: { id: string }[] }>('GET', `/api/workspaces?cursor=${cursor}`, {
      cookie,
    });
    const own = [mine.workspace.id, bound.objectIds['/api/workspaces/:id']];
    expect(list.data.workspaces.filter(({ id }) => !own.includes(id))).toEqual([]);
    const onboardingId = objectIds['/api/organization/sms/onboardings/:entryId'];
    const senders = await fixture.call('GET', `/api/organization/sms/senders?onboardingId=${onboardingId}`, { cookie });
    expect(senders).toMatchObject({ status: 200, data: { senders: [] } });
  });

  it('of a bot, a contact or a conversation gets the same response as an unknown id in a filter', async () => {
    const place = `/api/workspaces/${mine.workspace.id}`;
    const named = (path: string) => objectIds[`/api/workspaces/:id/${path}`] ?? '';
    for (const list of ['conversations', 'submissions', 'submissions.csv']) {
      const path = `${place}/${list}?botId=${named('bots/:botId')}`;
      expect([path, (await fixture.call('GET', path, { cookie })).status]).toEqual([path, 404]);
    }
    for (const filter of [
      `contactId=${named('contacts/:contactId')}`,
      `conversationId=${named('conversations/:cid')}`,
    ]) {
      expect((await fixture.call('GET', `${place}/submissions?${filter}`, { cookie })).status).toBe(404);
    }
    const contacts = await fixture.call('GET', `${place}/contacts?email=lead@theirs.example`, { cookie });
    expect(contacts).toMatchObject({ status: 200, data: { contacts: [] } });
  });

  /** Hashes of all rows that the calls could have changed. */
  async function everything(): Promise<unknown[]> {
    const tables = ['tenancy.workspaces', 'auth.api_keys', 'users.members', 'users.invitations', 'sms.onboardings'];
    const more = ['sms.senders', 'sms.templates', 'credits.ledger', 'audit.entries', 'webhooks.subscriptions'];
    const email = ['domains', 'senders', 'templates', 'suppressions', 'tracking_settings'];
    const contents = [];
    const bots = ['bots', 'versions', 'faqs', 'articles', 'shortcuts', 'forms', 'conversations', 'messages'];
    const named = [...email.map((name) => `email.${name}`), ...bots.map((name) => `bots.${name}`)];
    for (const table of [...tables, ...more, ...named]) {
      contents.push(await fixture.database.query(`SELECT md5(t::text) FROM ${table} AS t ORDER BY 1`));
    }
    return contents;
  }
});
