import fc from 'fast-check';
import { article, faq, SearchFixture, type TestBot } from '../search.fixture';
import type { SearchItem } from './entries';

describe('the search index', () => {
  let search: SearchFixture;
  beforeAll(async () => {
    search = await SearchFixture.start();
  });
  afterAll(() => search.stop());

  /** Returns the statistics of an index that contains only these items. */
  const freshly = async (locale: string, items: readonly SearchItem[]) =>
    search.statistics(await search.bot(locale, items));

  it('finds an item only by its new text after it is written again', async () => {
    const bot = await search.bot('en', [faq('Where is the elephant?', 'Here.', [], 'animal')]);
    await search.index(bot, [faq('Where is the giraffe?', 'There.', [], 'animal')]);
    expect((await search.find(bot, 'elephant')).faqs).toEqual([]);
    expect((await search.find(bot, 'giraffe')).faqs).toMatchObject([{ id: 'animal', text: 'There.' }]);
    expect(await search.statistics(bot)).toEqual(
      await freshly('en', [faq('Where is the giraffe?', 'There.', [], 'animal')]),
    );
  });

  it('uses the last item of an id that occurs twice in one call', async () => {
    const bot = await search.bot('en', [faq('An elephant?', 'A.', [], 'x'), faq('A giraffe?', 'B.', [], 'x')]);
    expect((await search.find(bot, 'giraffe')).faqs).toMatchObject([{ id: 'x' }]);
    expect((await search.find(bot, 'elephant')).faqs).toEqual([]);
  });

  it('keeps an FAQ and an article with the same id separate', async () => {
    const bot = await search.bot('en', [
      faq('An elephant?', 'Yes.', [], 'x'),
      article('Elephants', 'Elephants are large animals with a trunk.', 'x'),
    ]);
    await search.unindex(bot, 'faq', ['x']);
    const { faqs, knowledge } = await search.find(bot, 'elephant');
    expect([faqs.length, knowledge.length]).toEqual([0, 1]);
  });

  it('is the same after an item is removed as if the item had never existed', async () => {
    const unchanged = [
      faq('Do you sell apples?', 'Yes.', ['Apples?'], 'apples'),
      article('Orchard', 'Apples and pears grow in our orchard.', 'orchard'),
    ];
    const bot = await search.bot('en', unchanged);
    const gone = [
      faq('Do you sell pears?', 'Yes, apples too.', [], 'pears'),
      article('Plums', 'Plums.\n\nPlums are dried in the sun, and apples are not.', 'plums'),
    ];
    await search.index(bot, gone);
    expect(await search.statistics(bot)).not.toEqual(await freshly('en', unchanged));
    await search.unindex(bot, 'faq', ['pears', 'unknown']);
    await search.unindex(bot, 'knowledge', ['plums', 'plums']);
    expect(await search.statistics(bot)).toEqual(await freshly('en', unchanged));
  });

  it('is rebuilt when the locale of the bot changes', async () => {
    const items = [
      faq('Wie kündige ich Verträge?', 'So.', [], 'a'),
      article('Laufzeiten', 'Verträge laufen zwei Jahre und enden von selbst.', 'b'),
    ];
    const bot = await search.bot('en', items);
    await search.index({ ...bot, locale: 'de' }, items);
    expect(await search.statistics(bot)).toEqual(await freshly('de', items));
  });

  it('has the correct statistics after any sequence of writes and removals', async () => {
    const title = fc.constantFrom('red apple', 'green apple', 'red pear', 'the pear tree', 'apples');
    const step = fc.record({
      id: fc.constantFrom('1', '2', '3'),
      kind: fc.constantFrom<SearchItem['kind'][]>('faq', 'knowledge'),
      title: fc.option(title, { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const bot = await search.bot('en', []);
        const left = new Map<string, SearchItem>();
        for (const { id, kind, title: written } of steps) {
          if (written === null) {
            await search.unindex(bot, kind, [id]);
            left.delete(kind + id);
            continue;
          }
          const item = { kind, id, title: written, phrasings: [], body: `${written} and more of it` };
          await search.index(bot, [item]);
          left.set(kind + id, item);
        }
        const now = await search.statistics(bot);
        const expected = await freshly('en', [...left.values()]);
        if (left.size > 0) expect(now).toEqual(expected);
        else expect(now).toMatchObject({ lexemes: [], words: [] });
      }),
      { numRuns: 25 },
    );
  });

  it('has correct statistics after concurrent writes of one bot, without a deadlock', async () => {
    const bot: TestBot = await search.bot('en', []);
    const item = (id: number, round: number): SearchItem =>
      id % 2 === 0
        ? faq(`Question ${id} of round ${round}?`, 'Yes.', [], `${id}`)
        : article(`Article ${id}`, `Text of the round ${round}, with words in it.`, `${id}`);
    await Promise.all(
      Array.from({ length: 40 }, async (_, turn) => {
        const ids = Array.from({ length: 6 }, (__, at) => (turn * 5 + at * 7) % 12);
        await search.index(
          bot,
          (turn % 2 === 0 ? ids : ids.toReversed()).map((id) => item(id, turn)),
        );
        if (turn % 3 === 0) await search.unindex(bot, turn % 2 === 0 ? 'faq' : 'knowledge', ids.map(String));
      }),
    );
    await search.index(
      bot,
      Array.from({ length: 12 }, (_, id) => item(id, 99)),
    );
    expect(await search.statistics(bot)).toEqual(
      await freshly(
        'en',
        Array.from({ length: 12 }, (_, id) => item(id, 99)),
      ),
    );
  });

  it('is unchanged when the transaction is rolled back', async () => {
    const bot = await search.bot('en', [faq('Do you sell apples?', 'Yes.', [], 'apples')]);
    const before = await search.statistics(bot);
    const { indexItems } = await import('./index-items');
    const givenUp = search.transaction(async (transaction) => {
      await indexItems(transaction, bot, [faq('Do you sell pears?')]);
      throw new Error('rolled back');
    });
    await expect(givenUp).rejects.toThrow('rolled back');
    expect(await search.statistics(bot)).toEqual(before);
  });
});
