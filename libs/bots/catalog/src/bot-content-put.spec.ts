import { newId, type PageOf } from '@heliograph/database';
import type { BotKey } from './bot-access';
import { CatalogFixture } from './catalog.fixture';
import { HOURS, MENU, refused, RETURNS } from './content-items.fixture';
import { ARTICLES } from './content/articles';
import type { ContentKind } from './content/content-kind';
import { FAQS } from './content/faqs';
import { SHORTCUTS } from './content/shortcuts';
import type { BotFaq } from './entities/bot-faq.entity';
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

const put = <Item extends LiveItem, Details extends object>(
  kind: ContentKind<Item, Details>,
  list: Partial<Details>[],
) => fixture.write((t) => fixture.content.put(t, key, kind, list, 'list'));

describe('a put of many items', () => {
  const many = (count: number, answer = 'Yes.') =>
    Array.from({ length: count }, (_, i) => ({ id: `q${i}`, question: `Is number ${i} a lucky number?`, answer }));

  it('creates new items, updates changed items, and does not touch unchanged ones', async () => {
    const first = await put(FAQS, many(1_000));
    expect([first.created.length, first.changed.length, first.unchanged]).toEqual([1_000, 0, 0]);
    const again = await put(FAQS, [...many(1_000).slice(1), { id: 'q0', answer: 'No.' }, ...many(1_001).slice(1_000)]);
    expect([again.created.length, again.changed.length, again.unchanged]).toEqual([1, 1, 999]);
    expect(again.changed[0]).toMatchObject({ before: { answer: 'Yes.' }, after: { answer: 'No.' } });
    expect(await fixture.finds(key, 'Is number 1000 a lucky number?')).toContain('Is number 1000 a lucky number?');
  });

  it('stores all items or none, and names the invalid one', async () => {
    await expect(put(FAQS, [...many(3), { id: 'bad', question: 'x', answer: '<b></b>' }])).rejects.toEqual(
      refused(/^list\[3\]\.answer: /),
    );
    await expect(put(FAQS, [...many(2), ...many(1)])).rejects.toEqual(refused(/^list\[2\]\.id: is used twice/));
    await expect(
      put(SHORTCUTS, [
        { id: 'a', ...MENU },
        { id: 'b', ...MENU },
      ]),
    ).rejects.toEqual(refused(/command \/returns/, 'NAME_TAKEN'));
    const { items } = await fixture.content.list(fixture.dataSource.manager, key, FAQS, { limit: 5, after: null });
    expect(items).toEqual([]);
  });

  it('finds existing articles by their titles', async () => {
    await put(ARTICLES, [RETURNS]);
    const { created, changed } = await put(ARTICLES, [{ ...RETURNS, title: ' Returns ', body: 'Within 60 days.' }]);
    expect([created, changed.length]).toEqual([[], 1]);
  });

  it('is limited to the maximum number of items of a bot', async () => {
    const full = Array.from({ length: 100 }, (_, i) => ({ ...MENU, command: `/c${i}` }));
    await put(SHORTCUTS, full);
    await expect(fixture.createItem(key, SHORTCUTS, MENU)).rejects.toEqual(
      refused(/at most 100 shortcuts/, 'LIMIT_REACHED'),
    );
    await put(SHORTCUTS, []);
  });

  it('stores every item once for concurrent calls', async () => {
    const sides = Array.from({ length: 4 }, (_, side) =>
      put(
        FAQS,
        Array.from({ length: 50 }, (_, i) => ({
          id: `q${i + side * 25}`,
          ...HOURS,
          question: `Opening hours of shop ${i + side * 25}?`,
        })),
      ),
    );
    const results = await Promise.all(sides);
    expect(results.reduce((sum, { created }) => sum + created.length, 0)).toBe(125);
    const page = await fixture.content.list(fixture.dataSource.manager, key, FAQS, { limit: 1_000, after: null });
    expect(new Set(page.items.map(({ publicId }) => publicId)).size).toBe(125);
  });

  it('can be read back in pages', async () => {
    await put(FAQS, many(5));
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page: PageOf<BotFaq> = await fixture.content.list(fixture.dataSource.manager, key, FAQS, {
        limit: 2,
        after,
      });
      seen.push(...page.items.map(({ publicId }) => publicId));
      after = page.next;
      if (after === null) break;
    }
    expect(seen).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
    const past = await fixture.content.list(fixture.dataSource.manager, key, FAQS, { limit: 2, after: newId() });
    expect(past.items).toEqual([]);
  });
});
