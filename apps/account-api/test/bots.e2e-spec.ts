import type { BotDirectory } from '@heliograph/bot-catalog';
import { newId } from '@heliograph/database';
import { unique, until } from '@heliograph/testing';
import type { BotPage, BotRecord, OneBot, VersionPage } from '../src/bots-and-inbox/bots/bots.dto';
import { AccountFixture, type Tenant } from './account-fixture';
import { connectDirectory } from './bot-inbox-fixture';

/** Shorter than the maximum age of cached entries, so that only a notification can update them in time. */
const SOON = { timeoutMs: 10_000 };

describe('a bot', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let bots: string;
  /** The directory of bot-runtime, which runs in another process. */
  let directory: BotDirectory;
  let close: () => Promise<void>;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    ({ directory, close } = await connectDirectory(fixture.database.url));
  });
  afterAll(() => close());
  beforeEach(async () => {
    tenant = await fixture.tenant();
    bots = `/api/workspaces/${tenant.workspace.id}/bots`;
  });

  const call = <T = OneBot>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fixture.call<T>(method, path, { key: tenant.key, headers, ...(body === undefined ? {} : { body }) });
  const create = (body: object = {}) => call('POST', bots, { name: 'Acme Help', ...body });
  const made = async (body: object = {}): Promise<BotRecord> => (await create(body)).data.bot;
  const post = (id: string, what: string, body: object = {}) => call('POST', `${bots}/${id}/${what}`, body);

  it('is created as a draft, optionally with a given public id', async () => {
    const id = `bot_${unique()}`;
    const { status, data } = await create({ id, locale: 'pt_br', settings: { branding: { color: '#0a7' } } });
    expect(status).toBe(201);
    expect(data.bot).toEqual({
      id,
      name: 'Acme Help',
      slug: 'acme-help',
      locale: 'pt-BR',
      status: 'draft',
      avatarUrl: null,
      settings: { branding: { color: '#0a7' } },
      version: null,
      createdAt: data.bot.createdAt,
      updatedAt: data.bot.updatedAt,
    });
    expect(data.bot.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect((await call('GET', `${bots}/${id}`)).data).toEqual(data);
    expect((await call<BotPage>('GET', bots)).data).toEqual({ bots: [data.bot] });
  });

  it('is listed in pages with its published version', async () => {
    const first = await made({ slug: 'a' });
    const second = await made({ slug: 'b' });
    await post(first.id, 'publish');
    await post(first.id, 'publish', { tone: 'formal' });
    const page = (await call<BotPage>('GET', `${bots}?limit=1`)).data;
    expect(page.bots).toMatchObject([{ id: first.id, version: { number: 2, tone: 'formal' } }]);
    const rest = (await call<BotPage>('GET', `${bots}?limit=1&cursor=${page.nextCursor}`)).data;
    expect(rest).toEqual({ bots: [second] });
  });

  it.each<[string, object, string]>([
    ['an empty name', { name: '' }, 'name: '],
    ['a name that is a number', { name: 7 }, 'name: '],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name: '],
    ['a name with a NUL', { name: 'a\0' }, 'name: '],
    ['an unpaired surrogate in the name', { name: 'a\ud800' }, 'name: '],
    ['an invalid language', { locale: 'no language' }, 'locale: '],
    ['a javascript: URL as the avatar', { avatarUrl: 'javascript:alert(1)' }, 'avatarUrl: '],
    ['settings that are a list', { settings: [] }, 'settings: '],
    ['settings with a nested NUL', { settings: { a: [{ b: 'x\0' }] } }, 'settings: '],
    ['settings with an unpaired surrogate as a name', { settings: { '\udc00': 1 } }, 'settings: '],
    [
      'settings that are nested too deeply',
      { settings: JSON.parse(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`) as object },
      'settings: ',
    ],
    ['settings that are too large', { settings: { a: 'x'.repeat(40_000), b: 'x'.repeat(40_000) } }, 'settings: '],
    ['an id with a slash', { id: 'a/b' }, 'id: '],
    ['a slug with spaces', { slug: 'a b' }, 'slug: '],
  ])('cannot be created with %s', async (_what, body, message) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toContain(message);
  });

  it('cannot be created from deeply nested JSON', async () => {
    const body = `{"name":"x","settings":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    const { status } = await fixture.call('POST', bots, { key: tenant.key, body });
    expect([400, 422]).toContain(status);
  });

  it('has a globally unique id and a slug that is unique in the workspace', async () => {
    const twins = [
      await made({ name: 'Twin Desk' }),
      await made({ name: 'Twin Desk' }),
      await made({ name: 'Twin desk' }),
    ];
    expect(twins.map(({ slug }) => slug)).toEqual(['twin-desk', 'twin-desk-2', 'twin-desk-3']);
    const { id } = await made({ slug: 'help' });
    expect(await create({ slug: 'help' })).toMatchObject({ status: 409, error: { code: 'SLUG_TAKEN' } });
    expect(await create({ id, slug: 'other' })).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  });

  it('belongs to one workspace and is not visible in another workspace of the organization', async () => {
    const { id } = await made();
    const other = await fixture.factory.workspace(tenant.organizationId);
    expect((await call('GET', `/api/workspaces/${other.id}/bots/${id}`)).status).toBe(404);
  });

  it('is published, paused and resumed with immediate effect for visitors', async () => {
    const { id } = await made({
      name: 'Acme <b>Help</b>',
      settings: { branding: { color: 'red' }, brandColor: '#0a7' },
    });
    const seen = () => directory.available(id);
    expect(await seen()).toBeNull();
    expect(await post(id, 'pause')).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });
    expect(await post(id, 'resume')).toMatchObject({ status: 409, error: { code: 'STATE_CONFLICT' } });

    const cookie = await fixture.login(tenant.owner.email);
    const body = { tone: 'formal', note: 'First' };
    const published = await fixture.call<OneBot>('POST', `${bots}/${id}/publish`, { cookie, body });
    expect(published).toMatchObject({
      status: 201,
      data: { bot: { status: 'active', version: { number: 1, tone: 'formal', note: 'First' } } },
    });
    expect(published.data.bot.version?.publishedBy).toBe(tenant.owner.id);
    const available = await until('visitors see the bot', seen, SOON);
    expect(available).toMatchObject({ name: 'Acme Help', version: { number: 1 }, branding: { color: '#0a7' } });

    expect((await post(id, 'pause')).data.bot.status).toBe('paused');
    await until('visitors see the change', async () => (await seen()) === null, SOON);
    expect((await post(id, 'pause')).data.bot.status).toBe('paused');
    expect((await post(id, 'resume')).data.bot.status).toBe('active');
    await until('visitors see the bot', seen, SOON);
    await call('PATCH', `${bots}/${id}`, { name: 'Renamed', settings: { welcomeMessage: 'Hi <i>you</i>' } });
    await until('visitors see the change', async () => (await seen())?.branding.welcome === 'Hi you', SOON);
    expect(await seen()).toMatchObject({ name: 'Renamed' });
  });

  it('gets a distinct version number for each of several concurrent publications', async () => {
    const { id } = await made();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(id, 'publish')));
    expect(answers.map(({ data }) => data.bot.version?.number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const list = (await call<VersionPage>('GET', `${bots}/${id}/versions?limit=4`)).data;
    expect(list.versions.map(({ number }) => number)).toEqual([6, 5, 4, 3]);
    const rest = await call<VersionPage>('GET', `${bots}/${id}/versions?limit=4&cursor=${list.nextCursor}`);
    expect(rest.data.versions.map(({ number }) => number)).toEqual([2, 1]);
    expect(rest.data.nextCursor).toBeUndefined();
  });

  it('can be deleted only before its first publication', async () => {
    const { id } = await made();
    expect((await call('DELETE', `${bots}/${id}`)).status).toBe(200);
    expect((await call('GET', `${bots}/${id}`)).status).toBe(404);
    const published = await made();
    await post(published.id, 'publish');
    expect(await call('DELETE', `${bots}/${published.id}`)).toMatchObject({
      status: 409,
      error: { code: 'STATE_CONFLICT' },
    });
  });

  it('is created and published once per Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': unique() };
    const first = await call('POST', bots, { name: 'Once' }, headers);
    const again = await call('POST', bots, { name: 'Once' }, headers);
    expect([again.status, again.headers.get('idempotent-replayed'), again.data]).toEqual([201, 'true', first.data]);
    expect((await call('POST', bots, { name: 'Other' }, headers)).error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const publish = () => call('POST', `${bots}/${first.data.bot.id}/publish`, {}, headers);
    expect((await publish()).data.bot.version?.number).toBe(1);
    expect((await publish()).data.bot.version?.number).toBe(1);
  });

  it('is audited with each change', async () => {
    const { id } = await made();
    await call('PATCH', `${bots}/${id}`, { name: 'Renamed' });
    await call('PATCH', `${bots}/${id}`, { name: 'Renamed' });
    await post(id, 'publish');
    await post(id, 'pause');
    await post(id, 'resume');
    const log = await fixture.call<{
      entries: { action: string; target: object; before: object; after: object; workspaceId: string }[];
    }>('GET', `/api/organization/audit-log?targetId=${id}`, { key: tenant.key });
    expect(log.data.entries.map(({ action }) => action)).toEqual([
      'bot.resumed',
      'bot.paused',
      'bot.published',
      'bot.changed',
      'bot.created',
    ]);
    expect(log.data.entries[3]).toMatchObject({
      target: { type: 'bot', id },
      before: { name: 'Acme Help' },
      after: { name: 'Renamed' },
      workspaceId: tenant.workspace.id,
    });
    expect(log.data.entries[2]).toMatchObject({
      before: { status: 'draft', version: null },
      after: { status: 'active', version: { number: 1, tone: 'friendly' } },
    });
  });

  it('previews its search results for a message with scores and the resulting decision', async () => {
    const { id } = await made({ settings: { synonyms: [['opening hours', 'business times']] } });
    const faqs = [
      { id: 'hours', question: 'What are your opening hours?', answer: '9 to 5' },
      { id: 'cancel', question: 'How do I cancel my order?', answer: 'In your account' },
    ];
    await call('POST', `${bots}/${id}/faqs/import`, { faqs });
    const preview = (message: string) => call<object>('POST', `${bots}/${id}/preview`, { message });
    expect(await preview('what are your business times')).toMatchObject({
      status: 200,
      data: {
        judgement: { kind: 'answer', findings: [{ kind: 'faq', id: 'hours', text: '9 to 5' }] },
        faqs: [{ id: 'hours', title: 'What are your opening hours?', score: expect.any(Number) as number }],
        knowledge: [],
      },
    });
    expect((await preview('How do I skin a quokka?')).data).toMatchObject({ judgement: { kind: 'none' } });
    for (const message of ['', ' ', 'x'.repeat(4_001), 'a\0']) expect((await preview(message)).status).toBe(422);
    expect((await preview("& | ! ( ) : * ' \\ 😀")).status).toBe(200);
  });

  it('that does not exist gets the same response as a bot of another organization', async () => {
    const theirs = await fixture.tenant();
    const id = `bot_${unique()}`;
    await fixture.call('POST', `/api/workspaces/${theirs.workspace.id}/bots`, {
      key: theirs.key,
      body: { id, name: 'x' },
    });
    const foreign = await call('GET', `${bots}/${id}`);
    const unknown = await call('GET', `${bots}/${newId()}`);
    expect([foreign.status, foreign.error]).toEqual([404, unknown.error]);
  });
});
