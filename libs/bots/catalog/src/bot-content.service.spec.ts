import type { BotKey } from './bot-access';
import { CatalogFixture } from './catalog.fixture';
import { HOURS, LEAD, MENU, refused, RETURNS } from './content-items.fixture';
import { ARTICLES } from './content/articles';
import type { ContentKind } from './content/content-kind';
import { FAQS, type FaqDetails } from './content/faqs';
import { FORMS, type FormDetails } from './content/forms';
import { SHORTCUTS } from './content/shortcuts';
import type { LiveItem } from './entities/live-item';

let fixture: CatalogFixture;
let key: BotKey;
beforeAll(async () => {
  fixture = await CatalogFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  key = await fixture.bot();
});

const create = <Item extends LiveItem, Details extends object>(
  kind: ContentKind<Item, Details>,
  details: Partial<Details>,
  of = key,
) => fixture.createItem(of, kind, details);
const change = <Item extends LiveItem, Details extends object>(
  kind: ContentKind<Item, Details>,
  id: string,
  changes: Partial<Details>,
) => fixture.write((t) => fixture.content.change(t, key, kind, id, changes));

describe('an FAQ', () => {
  it('gets an id, is sanitized, and can be read, listed, updated and removed', async () => {
    const made = await create(FAQS, {
      ...HOURS,
      answer: '9 to <b>5</b>, see <a href="https://a.example">us</a>',
      label: ' Hours ',
    });
    expect(made.publicId).toMatch(/^faq_[0-9A-Za-z]{16}$/);
    expect(made).toMatchObject({ answer: '9 to 5, see [us](https://a.example)', label: 'Hours', phrasings: [] });
    const { manager } = fixture.dataSource;
    expect(await fixture.content.read(manager, key, FAQS, made.publicId)).toEqual(made);
    const { before, after } = await change(FAQS, made.publicId, {
      phrasings: ['When are you open?', ' ', 'When are you open?'],
    });
    expect(before).toEqual(made);
    expect(after).toMatchObject({ ...made, phrasings: ['When are you open?'], updatedAt: after.updatedAt });
    expect(await fixture.content.list(manager, key, FAQS, { limit: 5, after: null })).toEqual({
      items: [after],
      next: null,
    });
    expect(await fixture.write((t) => fixture.content.remove(t, key, FAQS, made.publicId))).toEqual(after);
    await expect(fixture.content.read(manager, key, FAQS, made.publicId)).rejects.toEqual(refused(/FAQ/, 'NOT_FOUND'));
  });

  it('keeps its id and its time when an update changes nothing', async () => {
    const made = await create(FAQS, { ...HOURS, id: 'hours' });
    expect((await change(FAQS, 'hours', { ...HOURS, id: 'other' })).after).toEqual(made);
  });

  it.each<[string, Partial<FaqDetails>, RegExp]>([
    ['an answer that contains only HTML', { answer: '<script>alert(1)</script>' }, /^answer: /],
    ['an empty question', { question: ' ' }, /^question: /],
    ['a question of 501 characters', { question: 'x'.repeat(501) }, /^question: must be at most 500/],
    ['an answer of 4,001 characters', { answer: '😀'.repeat(4_001) }, /^answer: must be at most 4000/],
    ['51 phrasings', { phrasings: Array.from({ length: 51 }, (_, i) => `x${i}`) }, /^phrasings: must be at most 50/],
    ['a label of 81 characters', { label: 'x'.repeat(81) }, /^label: /],
    ['an id with a space', { id: 'a b' }, /^id: /],
    ['a fraction as the display order', { displayOrder: 1.5 }, /^displayOrder: /],
  ])('cannot be created with %s', async (_what, details, message) => {
    await expect(create(FAQS, { ...HOURS, ...details })).rejects.toEqual(refused(message));
  });

  it('can have 4,000 code points of any kind', async () => {
    const answer = '😀'.repeat(4_000);
    expect((await create(FAQS, { ...HOURS, answer })).answer).toBe(answer);
  });

  it('has an id that is unique in its bot, but not across bots', async () => {
    await create(FAQS, { ...HOURS, id: 'hours' });
    await expect(create(FAQS, { ...HOURS, id: 'hours' })).rejects.toEqual(
      refused(/id hours is already used by another FAQ/, 'NAME_TAKEN'),
    );
    await create(FAQS, { ...HOURS, id: 'hours' }, await fixture.bot());
  });

  it('of another bot is not found', async () => {
    const { publicId } = await create(FAQS, HOURS, await fixture.bot());
    await expect(change(FAQS, publicId, { answer: 'x' })).rejects.toEqual(refused(/FAQ/, 'NOT_FOUND'));
  });
});

describe('the search index', () => {
  const question = 'When are your opening hours?';

  it('follows updates, and the enabled and published state of content', async () => {
    const { publicId } = await create(FAQS, { ...HOURS, published: false });
    expect(await fixture.finds(key, question)).toEqual([]);
    await change(FAQS, publicId, { published: true });
    expect(await fixture.finds(key, question)).toEqual([HOURS.question]);
    await change(FAQS, publicId, { enabled: false });
    expect(await fixture.finds(key, question)).toEqual([]);
    await change(FAQS, publicId, { enabled: true, question: 'Opening hours in winter?' });
    expect(await fixture.finds(key, question)).toEqual(['Opening hours in winter?']);
    await fixture.write((t) => fixture.content.remove(t, key, FAQS, publicId));
    expect(await fixture.finds(key, question)).toEqual([]);
  });

  it('uses the current language of the bot', async () => {
    key = await fixture.bot({ locale: 'en' });
    await create(FAQS, { question: 'Wie kündige ich meine Verträge?', answer: 'Schriftlich.' });
    await create(ARTICLES, { title: 'Rechnungen', body: 'Sie finden Ihre Rechnungen im Kundenkonto.' });
    await fixture.write((t) => fixture.catalog.change(t, key, { locale: 'de' }));
    expect(await fixture.finds(key, 'Vertrag kündigen')).toContain('Wie kündige ich meine Verträge?');
    expect(await fixture.finds(key, 'Rechnung im Konto')).toContain('Rechnungen');
  });

  it('is not changed when the transaction is rolled back', async () => {
    await expect(
      fixture.write(async (t) => {
        await fixture.content.create(t, key, FAQS, { ...FAQS.defaults, ...HOURS } as FaqDetails);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await fixture.finds(key, question)).toEqual([]);
  });
});

describe('an article', () => {
  it('has a title that is unique in the bot, an id and an optional URL', async () => {
    const made = await create(ARTICLES, { ...RETURNS, url: 'https://acme.example/returns' });
    expect(made).toMatchObject({ title: 'Returns', url: 'https://acme.example/returns', isEnabled: true });
    await expect(create(ARTICLES, { ...RETURNS, title: '<b>Returns</b>' })).rejects.toEqual(
      refused(/title Returns/, 'NAME_TAKEN'),
    );
    const other = await create(ARTICLES, { ...RETURNS, title: 'Refunds' });
    await expect(change(ARTICLES, other.id, { title: 'Returns' })).rejects.toEqual(refused(/title/, 'NAME_TAKEN'));
    await expect(change(ARTICLES, 'no id', { title: 'x' })).rejects.toEqual(refused(/article/, 'NOT_FOUND'));
    await expect(create(ARTICLES, { ...RETURNS, url: 'ftp://a.example' })).rejects.toEqual(refused(/^url: /));
  });

  it('can have at most 200,000 characters', async () => {
    const body = 'All about lighthouses. '.repeat(8_600);
    await create(ARTICLES, { title: 'Long', body });
    await expect(create(ARTICLES, { title: 'Longer', body: body.repeat(2) })).rejects.toEqual(refused(/^body: /));
  });
});

describe('a shortcut', () => {
  it('has a unique command in lower case', async () => {
    const made = await create(SHORTCUTS, { ...MENU, command: '/RETURNS' });
    expect(made).toMatchObject({ command: '/returns', type: 'knowledge_query', query: null, description: '' });
    await expect(create(SHORTCUTS, { ...MENU, command: '/Returns' })).rejects.toEqual(
      refused(/command \/returns/, 'NAME_TAKEN'),
    );
    expect((await create(SHORTCUTS, { label: 'वापसी', command: '/वापसी' })).command).toBe('/वापसी');
  });

  it.each(['returns', '/', '/a b', '//', '/<b>', `/${'x'.repeat(65)}`])(
    'cannot have the command %j',
    async (command) => {
      await expect(create(SHORTCUTS, { ...MENU, command })).rejects.toEqual(refused(/^command: /));
    },
  );

  it('whose label contains only HTML shows its command', async () => {
    expect((await create(SHORTCUTS, { ...MENU, label: '<svg onload=alert(1)>' })).label).toBe('/returns');
  });
});

describe('a form', () => {
  const field = (details: object) => ({ ...LEAD, fields: [{ key: 'a', label: 'A', type: 'text', ...details }] });

  it('has required and optional fields, and options for select fields', async () => {
    const made = await create(FORMS, {
      ...LEAD,
      trigger: { keywords: ['demo', '<i></i>', 'demo'] },
      fields: [
        { key: 'email', label: '<b>Email</b>', type: 'email', required: true },
        { key: 'size', label: 'Size', type: 'select', options: ['1 to 10', '11 to 50'] },
      ],
    });
    expect(made.triggerKeywords).toEqual(['demo']);
    expect(made.fields).toEqual([
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'size', label: 'Size', type: 'select', required: false, options: ['1 to 10', '11 to 50'] },
    ]);
    // The database returns property names in a different order, which is not a change.
    expect((await change(FORMS, made.publicId, { fields: made.fields })).after).toEqual(made);
  });

  it.each<[string, Partial<FormDetails>, RegExp]>([
    ['no fields', { ...LEAD, fields: [] }, /^fields: /],
    [
      '21 fields',
      { ...LEAD, fields: Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, label: 'A', type: 'text' })) },
      /^fields: /,
    ],
    ['a key with a space', field({ key: 'a b' }), /^fields\[0\]\.key: /],
    ['a property name of a prototype as a key', field({ key: '__proto__' }), /^fields\[0\]\.key: /],
    ['an unknown type', field({ type: 'file' }), /^fields\[0\]\.type: must be one of text, email/],
    ['a select field without options', field({ type: 'select' }), /^fields\[0\]\.options: /],
    [
      '101 options',
      field({ type: 'select', options: Array.from({ length: 101 }, (_, i) => `${i}`) }),
      /^fields\[0\]\.options: /,
    ],
    ['options for a text field', field({ options: ['a'] }), /^fields\[0\]\.options: /],
    [
      'a duplicate key',
      { ...LEAD, fields: [...LEAD.fields!, ...LEAD.fields!] },
      /^fields\[1\]\.key: email is used twice/,
    ],
  ])('cannot be created with %s', async (_what, details, message) => {
    await expect(create(FORMS, details)).rejects.toEqual(refused(message));
  });
});
