import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { WorkspaceList } from '../src/identity/workspaces/workspaces.dto';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';
import { storeConversation } from './bot-inbox-fixture';
import { fill, routesOf } from './routes';

describe('a list', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  let mine: string[];
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
    mine = [tenant.workspace.id];
    while (mine.length < 45) mine.push((await fixture.factory.workspace(tenant.organizationId)).id);
  });

  const page = async (query: string, credentials: Credentials = { key: tenant.key }) => {
    const { status, data, error } = await fixture.call<WorkspaceList>('GET', `/api/workspaces${query}`, credentials);
    return { status, error, ids: data?.workspaces.map(({ id }) => id), nextCursor: data?.nextCursor };
  };
  /** Reads all pages in order; `between` runs after each page. */
  const walk = async (limit: number, between: (cursor: string) => Promise<unknown> = () => Promise.resolve()) => {
    const pages: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { ids, nextCursor } = await page(query);
      pages.push(ids);
      cursor = nextCursor;
      if (cursor !== undefined) await between(cursor);
    }
    return pages;
  };

  it('has 20 entries per page by default', async () => {
    const first = await page('');
    expect(first.ids).toEqual(mine.slice(0, 20));
    expect(first.nextCursor).toEqual(expect.any(String));
    expect((await page('?limit=')).status).toBe(422);
  });

  it.each([1, 7, 15, 20, 44, 45, 46, 100])('returns each of 45 entries once with %d per page', async (limit) => {
    const pages = await walk(limit);
    expect(pages.flat()).toEqual(mine);
    expect(pages.map(({ length }) => length).slice(0, -1)).toEqual(pages.slice(0, -1).map(() => limit));
  });

  it('contains nextCursor only if there are more entries', async () => {
    expect((await page('?limit=44')).nextCursor).toEqual(expect.any(String));
    for (const limit of [45, 46, 100]) {
      const { data } = await fixture.call('GET', `/api/workspaces?limit=${limit}`, { key: tenant.key });
      expect(Object.keys(data)).toEqual(['workspaces']);
    }
  });

  it('is the same for a session as for a key', async () => {
    const { ids, nextCursor } = await page('?limit=40', { cookie });
    expect(ids).toEqual(mine.slice(0, 40));
    expect((await page(`?limit=40&cursor=${nextCursor}`, { cookie })).ids).toEqual(mine.slice(40));
  });

  it('neither repeats nor omits entries while others are added and updated', async () => {
    const added: string[] = [];
    const pages = await walk(10, async () => {
      added.push((await fixture.factory.workspace(tenant.organizationId)).id);
      await fixture.call('PATCH', `/api/workspaces/${mine[3]}`, {
        key: tenant.key,
        body: { slug: `ws-${unique()}` },
      });
    });
    mine.push(...added);
    expect(added.length).toBeGreaterThan(3);
    expect(pages.flat()).toEqual(mine);
  });

  it('is empty after the last entry', async () => {
    const cursor = Buffer.from(mine.at(-1)!).toString('base64url');
    expect(await page(`?cursor=${cursor}`)).toMatchObject({ status: 200, ids: [], nextCursor: undefined });
  });

  describe('of every kind', () => {
    /** Values of the path parameters of the lists. */
    let named: Record<string, string>;
    beforeAll(async () => {
      const { organizationId, workspace } = tenant;
      const botId = `bot_${unique()}`;
      await fixture.call('POST', `/api/workspaces/${workspace.id}/bots`, {
        key: tenant.key,
        body: { id: botId, name: 'Paged' },
      });
      const cid = await storeConversation(fixture, { organizationId, workspaceId: workspace.id }, botId);
      const body = { email: `${unique()}@example.com` };
      const contact = await fixture.v1<{ id: string }>('POST', '/api/v1/contacts', { key: tenant.key, body });
      const hook = { url: 'https://8.8.8.8/webhooks', events: ['*'], active: false };
      const webhook = await fixture.v1<{ id: string }>('POST', '/api/v1/webhooks', { key: tenant.key, body: hook });
      named = { organizationId, botId, cid, contactId: contact.id, webhookId: webhook.id, id: workspace.id };
    });

    /** Every route with a cursor parameter in the OpenAPI document. */
    const lists = () => {
      const found = routesOf(fixture.service).flatMap(({ method, path, access }) => {
        const operation = fixture.openApi.document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as
          { parameters?: { name: string; in: string }[] } | undefined;
        if (!operation?.parameters?.some(({ name }) => name === 'cursor')) return [];
        const isOperators = typeof access === 'object' && access.kind === 'operator';
        const isPersons = typeof access === 'object' && access.kind === 'session';
        const credentials = isOperators ? { operator: true } : isPersons ? { cookie } : { key: tenant.key };
        const at = fill(path, (name) => named[name] ?? '');
        return [{ path: at, credentials }];
      });
      expect(found.length).toBeGreaterThan(10);
      return found;
    };

    const invalidAt = (path: string) =>
      path.startsWith('/api/v1/') ? [400, 'INVALID_REQUEST'] : [422, 'VALIDATION_ERROR'];

    it('accepts 1 to 100 entries per page', async () => {
      for (const { path, credentials } of lists()) {
        for (const limit of ['1', '100']) {
          const { status } = await fixture.call('GET', `${path}?limit=${limit}`, credentials);
          expect([path, limit, status]).toEqual([path, limit, 200]);
        }
      }
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.5',
      'limit=1e1',
      'limit=%2B5',
      'limit=ten',
      'limit=',
      'limit=%00',
    ])('rejects %s', async (query) => {
      for (const { path, credentials } of lists()) {
        const { status, error } = await fixture.call('GET', `${path}?${query}`, credentials);
        expect([path, status, error?.code]).toEqual([path, ...invalidAt(path)]);
        expect(error.message).toMatch(/^limit\b/);
      }
    });

    it.each([
      '',
      'x',
      '%00',
      '!!!!',
      "'; DROP TABLE tenancy.workspaces; --",
      'a'.repeat(500),
      Buffer.from('a\0b').toString('base64url'),
      `${Buffer.from(newId()).toString('base64url')}=`,
    ])('rejects the cursor %j', async (cursor) => {
      for (const { path, credentials } of lists()) {
        const query = `cursor=${encodeURIComponent(cursor).replace('%2500', '%00')}`;
        const { status, error } = await fixture.call('GET', `${path}?${query}`, credentials);
        expect([path, status, error?.code]).toEqual([path, ...invalidAt(path)]);
        expect(error.message).toMatch(/^cursor\b/);
      }
    });

    it('rejects a repeated parameter', async () => {
      for (const { path, credentials } of lists()) {
        const { status, error } = await fixture.call('GET', `${path}?limit=5&limit=5`, credentials);
        expect([path, status, error?.code]).toEqual([path, 400, 'INVALID_REQUEST']);
      }
    });

    it('ignores unknown parameters, and refuses other spellings of its own', async () => {
      for (const { path, credentials } of lists()) {
        const { status } = await fixture.call(
          'GET',
          `${path}?organizationId=${newId()}&__proto__=x&unknown=id`,
          credentials,
        );
        const isV1 = path.startsWith('/api/v1/');
        expect([path, status]).toEqual([path, isV1 ? 400 : 200]);
        const { error } = await fixture.call('GET', `${path}?Limit=1`, credentials);
        expect([path, error.code, error.message]).toEqual([
          path,
          isV1 ? 'INVALID_REQUEST' : 'VALIDATION_ERROR',
          'Limit is not a field of this call. Did you mean limit?',
        ]);
      }
    });
  });
});
