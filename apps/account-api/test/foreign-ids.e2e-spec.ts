import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';
import { storeLead } from './bot-inbox-fixture';
import { fill, routesOf, type Route } from './routes';

/** Something of another organization for every parameter of every route, by the part of the path before it. */
type Belongings = Record<string, string>;
/** What the parameters beside it are; `id` is the workspace. */
const MINE: Record<string, string> = { botId: 'bot_mine', creditType: 'sms' };

describe("somebody else's id", () => {
  let fixture: AccountFixture;
  let mine: Tenant;
  let theirs: Tenant;
  let belongings: Belongings;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    mine = await fixture.tenant();
    theirs = await fixture.tenant();
    cookie = await fixture.login(mine.owner.email);
    const bot = { id: 'bot_mine', name: 'Mine' };
    await fixture.call('POST', `/api/workspaces/${mine.workspace.id}/bots`, { key: mine.key, body: bot });
    belongings = await belongingsOf(theirs);
  });

  async function belongingsOf({ organizationId, workspace, owner, key }: Tenant): Promise<Belongings> {
    const made = async (path: string, name: string, body: object): Promise<string> => {
      const { status, data, error } = await fixture.call<Record<string, { id: string }>>('POST', path, { key, body });
      if (status !== 201) throw new Error(`${path}: ${JSON.stringify(error)}`);
      return data[name]!.id;
    };
    const theirCookie = await fixture.login(owner.email);
    const session = await fixture.call<{ session: { id: string } }>('GET', '/api/auth/session', {
      cookie: theirCookie,
    });
    const onboarding = await made('/api/organization/sms/onboardings', 'onboarding', { name: 'india', country: 'IN' });
    await fixture.database.query(
      `INSERT INTO billing.invoices (id, organization_id, workspace_id, customer, customer_address, status, currency, amount_due, amount_paid,
         subtotal, total, lines, created_at, newest)
       VALUES ('in_theirs', $1, $2, 'cus_theirs', '{}', 'paid', 'usd', 0, 100, 100, 100, '[]', now(), '')`,
      [organizationId, workspace.id],
    );
    return {
      '/api/workspaces/:id': workspace.id,
      '/api/auth/sessions/:sessionId': session.data.session.id,
      '/api/organization/members/:userId': owner.id,
      '/api/organization/invitations/:id': await made('/api/organization/invitations', 'invitation', {
        email: 'guest@example.com',
        role: 'viewer',
      }),
      '/api/organization/api-keys/:keyId': await made('/api/organization/api-keys', 'apiKey', { name: 'theirs' }),
      '/api/organization/sms/onboardings/:entryId': onboarding,
      '/api/organization/sms/senders/:entryId': await made('/api/organization/sms/senders', 'sender', {
        header: 'THEIRS',
        onboardingId: onboarding,
      }),
      '/api/organization/sms/templates/:entryId': await made('/api/organization/sms/templates', 'template', {
        name: 'theirs',
        onboardingId: onboarding,
        body: 'Hello {{name}}',
      }),
      '/api/workspaces/:id/billing/invoices/:invoiceId': 'in_theirs',
      ...(await emailBelongingsOf(made, workspace.id)),
      ...(await botBelongingsOf({ organizationId, workspaceId: workspace.id }, made)),
    };
  }

  async function botBelongingsOf(
    home: { organizationId: string; workspaceId: string },
    made: (path: string, name: string, body: object) => Promise<string>,
  ): Promise<Belongings> {
    const place = `/api/workspaces/${home.workspaceId}`;
    const bot = await made(`${place}/bots`, 'bot', { id: 'bot_theirs', name: 'Theirs' });
    const of = (path: string) => `/api/workspaces/:id/${path}`;
    const content = (path: string, name: string, body: object) => made(`${place}/bots/${bot}/${path}`, name, body);
    const { conversationId, contactId, submissionId } = await storeLead(fixture, home, bot);
    return {
      [of('bots/:botId')]: bot,
      [of('bots/:botId/faqs/:faqId')]: await content('faqs', 'faq', { id: 'theirs', question: 'x', answer: 'x' }),
      [of('bots/:botId/knowledge/:articleId')]: await content('knowledge', 'article', { title: 'x', body: 'x' }),
      [of('bots/:botId/shortcuts/:shortcutId')]: await content('shortcuts', 'shortcut', { label: 'x', command: '/x' }),
      [of('bots/:botId/forms/:formId')]: await content('forms', 'form', {
        title: 'x',
        fields: [{ key: 'email', label: 'Email', type: 'email' }],
      }),
      [of('conversations/:cid')]: conversationId,
      [of('contacts/:contactId')]: contactId,
      [of('submissions/:submissionId')]: submissionId,
    };
  }

  async function emailBelongingsOf(
    made: (path: string, name: string, body: object) => Promise<string>,
    workspaceId: string,
  ): Promise<Belongings> {
    const place = '/api/organization/email';
    const domain = await made(`${place}/domains`, 'domain', { name: 'theirs.example' });
    const address = 'theirs@theirs.example';
    await made(`${place}/suppressions`, 'suppression', { address });
    const template = { slug: 'theirs', name: 'theirs', text: 'Hello {{ name }}' };
    return {
      [`${place}/domains/:domainId`]: domain,
      [`${place}/senders/:senderId`]: await made(`${place}/senders`, 'sender', { address }),
      [`${place}/templates/:templateId`]: await made(`${place}/templates`, 'template', template),
      [`${place}/suppressions/:address`]: address,
      [`${place}/tracking/workspaces/:id`]: workspaceId,
      [`${place}/tracking/keys/:keyId`]: await made('/api/organization/api-keys', 'apiKey', { name: 'mailing' }),
    };
  }

  /** Routes for tenants whose path names something, with that something of theirs, and with one of nobody. */
  function namings(): { route: Route; foreign: string; unknown: string }[] {
    return routesOf(fixture.service).flatMap((route) => {
      const { path, access } = route;
      if (!/:\w+/.test(path) || typeof access !== 'object' || access.kind === 'operator') return [];
      const parameters = [...path.matchAll(/:(\w+)/g)].filter(([, name]) => name !== 'creditType');
      return parameters.map(({ 0: parameter, 1: name, index }) => {
        const place = path.slice(0, index + parameter.length);
        const their = belongings[place];
        if (their === undefined) throw new Error(`${place}: the test knows nothing of another organization for it`);
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
      const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: bodyFor(route) };
      const callers = route.path.startsWith('/api/auth') ? [{ cookie }] : [{ cookie }, { key: mine.key }];
      for (const caller of callers) {
        const [their, nobodys] = [
          await fixture.call(route.method, foreign, { ...caller, ...body }),
          await fixture.call(route.method, unknown, { ...caller, ...body }),
        ];
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

  it.each(['1', 'null', '%00', "'; DROP TABLE users.users; --", '../../etc/passwd', 'a'.repeat(300)])(
    'of the form %j is answered like one that nobody has',
    async (id) => {
      for (const { route } of namings()) {
        const path = fill(route.path, (name) => (name === 'creditType' ? 'sms' : id)).replace('%2500', '%00');
        const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: bodyFor(route) };
        expect([path, (await fixture.call(route.method, path, { cookie, ...body })).status]).toEqual([path, 404]);
      }
    },
  );

  it('is rejected in a body', async () => {
    const transfer = { toWorkspaceId: theirs.workspace.id, creditType: 'sms', amount: 1 };
    await fixture.factory.topUp(mine.workspace, 'sms', 10);
    const path = `/api/workspaces/${mine.workspace.id}/credits/transfers`;
    expect(await fixture.call('POST', path, { key: mine.key, body: transfer })).toMatchObject({
      status: 422,
      error: { code: 'VALIDATION_ERROR' },
    });
    const bound = { name: 'bound', workspaceId: theirs.workspace.id };
    expect((await fixture.call('POST', '/api/organization/api-keys', { key: mine.key, body: bound })).status).toBe(422);
    const sender = { header: 'MINE', onboardingId: belongings['/api/organization/sms/onboardings/:entryId'] };
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
    expect(list.data.workspaces.filter(({ id }) => id !== mine.workspace.id)).toEqual([]);
    const onboardingId = belongings['/api/organization/sms/onboardings/:entryId'];
    const senders = await fixture.call('GET', `/api/organization/sms/senders?onboardingId=${onboardingId}`, { cookie });
    expect(senders).toMatchObject({ status: 200, data: { senders: [] } });
  });

  it('of a bot, a contact or a conversation gets the same response as an unknown id in a filter', async () => {
    const place = `/api/workspaces/${mine.workspace.id}`;
    const named = (path: string) => belongings[`/api/workspaces/:id/${path}`] ?? '';
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

  /** A body that would do something, were it allowed. */
  function bodyFor({ path }: Route): object {
    if (path.endsWith('/transfers')) return { toWorkspaceId: mine.workspace.id, creditType: 'sms', amount: 1 };
    if (path.includes('/thresholds/')) return { lowThreshold: 5 };
    if (path.includes('/members/')) return { role: 'viewer' };
    if (path.endsWith('/faqs/import')) return { faqs: [{ question: 'x', answer: 'x' }] };
    if (path.endsWith('/faqs')) return { question: 'x', answer: 'x' };
    if (path.endsWith('/knowledge')) return { title: 'x', body: 'x' };
    if (path.endsWith('/shortcuts')) return { label: 'x', command: '/x' };
    if (path.endsWith('/forms')) return { title: 'x', fields: [{ key: 'email', label: 'Email', type: 'email' }] };
    if (path.endsWith('/preview') || path.endsWith('/messages')) return { message: 'Taken over' };
    if (path.includes('/bots')) return { name: 'Taken over', question: 'x', title: 'x', label: 'x', tone: 'x' };
    if (path.includes('/conversations/')) return { status: 'closed', takenOver: true };
    if (path.startsWith('/api/workspaces')) return { displayName: 'Taken over' };
    if (path.includes('/tracking/')) return { opens: false };
    if (path.endsWith('/rotate')) return { overlapSeconds: 0 };
    return { name: 'Taken over', isActive: false };
  }

  /** All that the calls could have changed. */
  async function everything(): Promise<unknown[]> {
    const tables = ['tenancy.workspaces', 'auth.api_keys', 'users.members', 'users.invitations', 'sms.onboardings'];
    const more = ['sms.senders', 'sms.templates', 'credits.ledger', 'audit.entries'];
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
