import { CORPUS } from './corpus';
import { askCorpus } from './corpus/ask-corpus.fixture';
import { ratesOf, tableOf, type Asked } from './corpus/evaluate';
import { SMALL_BOTS, UNSEEN_BOTS } from './corpus/small-bots.fixture';
import { SearchFixture } from './search.fixture';

type Groups = [string, readonly Asked[]][];

/** The table shows the effect of a changed constant or word list. */
const print = (groups: Groups) => process.stdout.write(`${tableOf(groups)}\n`);

const byLocale = (asked: readonly Asked[]): Groups => {
  const locales = new Set(asked.map(({ bot }) => bot.locale.slice(0, 2)));
  return [...locales].map((locale) => [`  ${locale}`, asked.filter(({ bot }) => bot.locale.startsWith(locale))]);
};

describe('the questions of the corpus', () => {
  let search: SearchFixture;
  let results: Asked[];
  beforeAll(async () => {
    search = await SearchFixture.start();
    results = await askCorpus(search, CORPUS);
    const of = (which: (asked: Asked) => boolean) => results.filter(which);
    const byBot = CORPUS.map((bot): [string, Asked[]] => [`${bot.name} (${bot.locale})`, of((one) => one.bot === bot)]);
    print([
      ...byBot,
      ['tuned with', of(({ isHeldOut }) => !isHeldOut)],
      ['held out', of(({ isHeldOut }) => isHeldOut)],
      ['all', results],
    ]);
  }, 120_000);
  afterAll(() => search.stop());

  it('are unique, at least 260 of them have an answer, and at least 60 have none', () => {
    const { answerable, unanswerable } = ratesOf(results);
    expect(answerable).toBeGreaterThanOrEqual(260);
    expect(unanswerable).toBeGreaterThanOrEqual(60);
    expect(new Set(results.map(({ bot, text }) => `${bot.name} ${text}`)).size).toBe(results.length);
    for (const { bot, expected } of results) {
      expect(bot.items.map(({ id }) => id)).toEqual(expect.arrayContaining([...expected]));
    }
  });

  it('are answered, rarely incorrectly, and lead to the fallback if there is no answer', () => {
    const { hits, wrong, fellBack } = ratesOf(results);
    expect(hits).toBeGreaterThanOrEqual(0.9);
    expect(wrong).toBeLessThanOrEqual(0.03);
    expect(fellBack).toBeGreaterThanOrEqual(0.85);
  });

  it('have similar results for the held-out questions', () => {
    const { hits, wrong, fellBack } = ratesOf(results.filter(({ isHeldOut }) => isHeldOut));
    expect(hits).toBeGreaterThanOrEqual(0.9);
    expect(wrong).toBeLessThanOrEqual(0.04);
    expect(fellBack).toBeGreaterThanOrEqual(0.85);
  });

  it.each(CORPUS.map((bot) => [bot.locale, bot] as const))('are answered in %s', (_, bot) => {
    const { hits, wrong } = ratesOf(results.filter((one) => one.bot === bot));
    expect(hits).toBeGreaterThanOrEqual(0.8);
    expect(wrong).toBeLessThanOrEqual(0.05);
  });
});

describe('the questions of small bots from independent authors', () => {
  let search: SearchFixture;
  let tuned: Asked[];
  let unseen: Asked[];
  beforeAll(async () => {
    search = await SearchFixture.start();
    tuned = await askCorpus(search, SMALL_BOTS);
    unseen = await askCorpus(search, UNSEEN_BOTS);
    print([['tuned with', tuned], ...byLocale(tuned), ['unseen', unseen], ...byLocale(unseen)]);
  }, 120_000);
  afterAll(() => search.stop());

  it('are at least 900 questions in ten languages', () => {
    expect([...tuned, ...unseen].length).toBeGreaterThanOrEqual(900);
    expect(new Set([...SMALL_BOTS, ...UNSEEN_BOTS].map(({ locale }) => locale.slice(0, 2))).size).toBe(10);
    for (const { bot, expected } of [...tuned, ...unseen]) {
      expect(bot.items.map(({ id }) => id)).toEqual(expect.arrayContaining([...expected]));
    }
  });

  it('are answered in at least 50 %, incorrectly in at most 4.5 %, and fall back without an entry in at least 90 %', () => {
    const { hits, wrong, fellBack } = ratesOf(tuned);
    expect(hits).toBeGreaterThanOrEqual(0.5);
    expect(wrong).toBeLessThanOrEqual(0.045);
    expect(fellBack).toBeGreaterThanOrEqual(0.9);
  });

  it('have similar results for the unseen bots', () => {
    const { hits, wrong, fellBack } = ratesOf(unseen);
    expect(hits).toBeGreaterThanOrEqual(0.6);
    expect(wrong).toBeLessThanOrEqual(0.07);
    expect(fellBack).toBeGreaterThanOrEqual(0.88);
  });
});
