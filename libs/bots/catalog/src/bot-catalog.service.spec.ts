import { newId } from '@heliograph/database';
import { schemaDifferences, undoMigrations, unique } from '@heliograph/testing';
import type { BotKey } from './bot-access';
import { CatalogFixture, newHome } from './catalog.fixture';
import { FAQS } from './content/faqs';
import { botCatalogEntities, botCatalogMigrations } from './migration-set';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await CatalogFixture.start();
});
afterAll(() => fixture.stop());

const read = async (key: BotKey) => fixture.catalog.read(fixture.dataSource.manager, key);
const change = (key: BotKey, changes: object) => fixture.write((t) => fixture.catalog.change(t, key, changes));
const publish = (key: BotKey, publication: object = {}) =>
  fixture.write((t) => fixture.catalog.publish(t, key, publication));
const pause = (key: BotKey) => fixture.write((t) => fixture.catalog.pause(t, key));
const resume = (key: BotKey) => fixture.write((t) => fixture.catalog.resume(t, key));
const versions = async (key: BotKey, limit = 10, after: string | null = null) =>
  fixture.catalog.versions(fixture.dataSource.manager, key, { limit, after });

it('the schema of the bot catalog matches its entities, and its migrations can be reverted', async () => {
  expect(await schemaDifferences(fixture.database.url, botCatalogEntities)).toEqual([]);
  const other = await CatalogFixture.start();
  try {
    expect(await undoMigrations(other.database.url, [botCatalogMigrations])).toEqual([]);
  } finally {
    await other.stop();
  }
});

describe('a bot', () => {
  it('is created as a draft, with a generated id and slug if none are given', async () => {
    const { bot, version } = await read(await fixture.bot({ name: 'Acmé  <b>Help</b> desk!' }));
    expect(bot).toMatchObject({ name: 'Acmé Help desk!', slug: 'acme-help-desk', locale: 'en', status: 'draft' });
    expect(bot).toMatchObject({ avatarUrl: null, settings: {} });
    expect(bot.publicId).toMatch(/^bot_[0-9A-Za-z]{16}$/);
    expect(version).toBeNull();
  });

  it('has a slug that is unique in its workspace, and a globally unique id', async () => {
    const home = newHome();
    const { publicId } = await fixture.bot({ slug: 'help' }, home);
    await expect(fixture.bot({ slug: 'help' }, home)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    await expect(fixture.bot({ publicId })).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    await fixture.bot({ slug: 'help' });
    const other = await fixture.bot({ slug: 'other' }, home);
    await expect(change(other, { slug: 'help' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
  });

  it.each<[string, object, RegExp]>([
    ['a slug with spaces', { slug: 'a b' }, /^slug: /],
    ['an invalid language', { locale: 'not a language' }, /^locale: /],
    ['a javascript: URL as the avatar', { avatarUrl: 'javascript:alert(1)' }, /^avatarUrl: /],
    ['NUL in the avatar', { avatarUrl: 'https://a.example/\0' }, /^avatarUrl: .*without control/],
    ['a line break in the avatar', { avatarUrl: 'https://a.example/\nx' }, /^avatarUrl: .*without control/],
    ['an id with a slash', { publicId: 'a/b' }, /^id: /],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, /^name: must be at most 200/],
    ['64 kB of settings', { settings: { x: 'x'.repeat(64_000) } }, /^settings: .*64000 bytes/],
    ['settings with eleven levels of nesting', { settings: nested(11) }, /^settings: .*10 levels/],
  ])('cannot be created with %s', async (_what, details, message) => {
    await expect(fixture.bot(details)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['pt_br', 'pt-BR'],
    ['EN', 'en'],
    ['zh-hans-cn', 'zh-Hans-CN'],
  ])('with the locale %s uses %s', async (given, locale) => {
    expect((await read(await fixture.bot({ locale: given }))).bot.locale).toBe(locale);
  });

  it('has a name without hidden characters', async () => {
    expect((await read(await fixture.bot({ name: 'Ac\u202eme\u200b \u2066Help\u2069' }))).bot.name).toBe('Acme Help');
  });

  it('whose name contains only HTML is named after its slug', async () => {
    const { bot } = await read(await fixture.bot({ name: '<img src=x onerror=alert(1)>', slug: 'help' }));
    expect(bot.name).toBe('help');
  });

  it('keeps its settings unchanged, except for the texts that visitors see', async () => {
    const settings = {
      branding: { color: 'red', welcome: '<script>alert(1)</script>Hello <b>you</b>' },
      fallback: 'See [this](javascript:alert(1))',
      synonyms: [['<i>post</i>', 'mail']],
      mine: { html: '<b>kept</b>', list: [1, null, true, { deep: 'x' }] },
      ['__proto__']: { polluted: true },
    };
    const { bot } = await read(
      await fixture.bot({ settings: JSON.parse(JSON.stringify(settings)) as object as never }),
    );
    expect(bot.settings).toEqual({
      ...settings,
      branding: { color: 'red', welcome: 'Hello you' },
      fallback: 'See this',
      synonyms: [['post', 'mail']],
    });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('of another workspace or organization is not found by any operation', async () => {
    const key = await fixture.bot();
    await publish(key);
    for (const foreign of [
      { ...key, workspaceId: newId() },
      { ...key, organizationId: newId() },
      { ...key, publicId: 'x\0' },
    ]) {
      for (const call of [
        () => read(foreign),
        () => change(foreign, { name: 'Mine' }),
        () => publish(foreign),
        () => pause(foreign),
        () => resume(foreign),
        () => versions(foreign),
        () => fixture.write((t) => fixture.catalog.remove(t, foreign)),
        () => fixture.write((t) => fixture.catalog.putVersion(t, foreign, { number: 9, tone: 'x' })),
        () => fixture.content.list(fixture.dataSource.manager, foreign, FAQS, { limit: 1, after: null }),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
    expect(
      (await fixture.catalog.list(fixture.dataSource.manager, newHome(), { limit: 5, after: null })).items,
    ).toEqual([]);
  });

  it('is removed with its content if it was never published, and cannot be removed afterwards', async () => {
    const key = await fixture.bot();
    const { bot } = await read(key);
    const faq = { ...FAQS.defaults, question: 'Where is the lighthouse?', answer: 'On the rock.' };
    await fixture.write((t) => fixture.content.put(t, key, FAQS, [faq], 'faqs'));
    expect(await fixture.finds(key, 'Where is the lighthouse?')).toHaveLength(1);
    await fixture.write((t) => fixture.catalog.remove(t, key));
    for (const table of ['bots.bots WHERE id', 'bots.faqs WHERE bot_id']) {
      expect(await fixture.database.query(`SELECT FROM ${table} = $1`, [bot.id])).toEqual([]);
    }
    const published = await fixture.bot();
    await publish(published);
    await expect(fixture.write((t) => fixture.catalog.remove(t, published))).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
  });
});

describe('publishing', () => {
  it('activates a draft, increments the version number, and keeps the tone unless a new one is given', async () => {
    const key = await fixture.bot();
    const publishedBy = newId();
    expect((await publish(key)).version).toMatchObject({ number: 1, tone: 'friendly', note: null, publishedBy: null });
    expect((await publish(key, { tone: 'formal', note: '<b>New</b> hours', publishedBy })).version).toMatchObject({
      number: 2,
      tone: 'formal',
      note: 'New hours',
      publishedBy,
    });
    expect((await publish(key)).version).toMatchObject({ number: 3, tone: 'formal' });
    expect(await read(key)).toMatchObject({ bot: { status: 'active' }, version: { number: 3 } });
    const first = await versions(key, 2);
    expect(first.items.map(({ number }) => number)).toEqual([3, 2]);
    expect((await versions(key, 2, first.next)).items.map(({ number }) => number)).toEqual([1]);
    expect((await versions(key, 2, 'no number')).items).toEqual([]);
  });

  it('gives each of several concurrent versions a unique number', async () => {
    const key = await fixture.bot();
    const made = await Promise.all(Array.from({ length: 8 }, () => publish(key)));
    expect(made.map(({ version }) => version.number).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('does not resume a paused bot', async () => {
    const key = await fixture.bot();
    await expect(pause(key)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(resume(key)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await publish(key);
    await pause(key);
    expect((await pause(key)).after.bot.status).toBe('paused');
    await publish(key);
    expect((await read(key)).bot.status).toBe('paused');
    expect((await resume(key)).after.bot.status).toBe('active');
    expect((await resume(key)).after.bot.status).toBe('active');
  });

  it('with an explicit number never lowers the number, and updates the tone of an existing version', async () => {
    const key = await fixture.bot();
    const put = (number: number, tone: string) =>
      fixture.write((t) => fixture.catalog.putVersion(t, key, { number, tone }));
    const all = async () => (await versions(key)).items.map(({ number, tone }) => [number, tone]);
    await put(3, 'friendly');
    await put(3, 'formal');
    await put(2, 'casual');
    expect(await all()).toEqual([[3, 'formal']]);
    await put(5, 'casual');
    await put(3, 'warm');
    expect(await all()).toEqual([
      [5, 'casual'],
      [3, 'warm'],
    ]);
  });
});

describe('a put of a bot', () => {
  const put = (home = newHome(), details: object = {}) =>
    fixture.write((t) =>
      fixture.catalog.put(t, home, { publicId: `bot_${unique()}`, name: 'Put', status: 'active', ...details }),
    );

  it('creates a bot once, and updates changed fields', async () => {
    const home = newHome();
    const publicId = `bot_${unique()}`;
    const first = await put(home, { publicId, slug: 'put' });
    expect(await put(home, { publicId, slug: 'put' })).toEqual(first);
    expect(await put(home, { publicId, name: 'Anew', status: 'paused' })).toMatchObject({
      id: first.id,
      name: 'Anew',
      slug: 'put',
      status: 'paused',
    });
  });

  it('cannot take over a bot of another organization or workspace', async () => {
    const { publicId } = await fixture.bot();
    await expect(put(newHome(), { publicId })).rejects.toMatchObject({
      message: expect.stringContaining('another organization'),
    });
    const home = newHome();
    const own = await fixture.bot({}, home);
    await expect(put({ ...home, workspaceId: newId() }, { publicId: own.publicId })).rejects.toMatchObject({
      message: expect.stringContaining('another workspace'),
    });
  });
});

function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}
