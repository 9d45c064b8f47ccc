import { CORPUS } from './corpus';
import { askCorpus } from './corpus/ask-corpus.fixture';
import { ratesOf, tableOf, type Asked } from './corpus/evaluate';
import { SearchFixture } from './search.fixture';

describe('the questions of the corpus', () => {
  let search: SearchFixture;
  let asked: Asked[];
  beforeAll(async () => {
    search = await SearchFixture.start();
    asked = await askCorpus(search, CORPUS);
    const of = (which: (asked: Asked) => boolean) => asked.filter(which);
    const byBot = CORPUS.map((bot): [string, Asked[]] => [`${bot.name} (${bot.locale})`, of((one) => one.bot === bot)]);
    const table = tableOf([
      ...byBot,
      ['tuned with', of(({ isHeldOut }) => !isHeldOut)],
      ['held out', of(({ isHeldOut }) => isHeldOut)],
      ['all', asked],
    ]);
    // The table is what this is for: whoever changes a number sees what it does.
    process.stdout.write(`${table}\n`);
  }, 120_000);
  afterAll(() => search.stop());

  it('are enough to tell: 260 with an answer, 60 without, each once', () => {
    const { answerable, unanswerable } = ratesOf(asked);
    expect(answerable).toBeGreaterThanOrEqual(260);
    expect(unanswerable).toBeGreaterThanOrEqual(60);
    expect(new Set(asked.map(({ bot, text }) => `${bot.name} ${text}`)).size).toBe(asked.length);
    for (const { bot, expected } of asked) {
      expect([null, ...bot.items.map(({ id }) => id)]).toContain(expected);
    }
  });

  it('are answered, seldom wrongly, and fall back where there is no answer', () => {
    const { hits, wrong, fellBack } = ratesOf(asked);
    expect(hits).toBeGreaterThanOrEqual(0.9);
    expect(wrong).toBeLessThanOrEqual(0.02);
    expect(fellBack).toBeGreaterThanOrEqual(0.95);
  });

  it('are answered nearly as well where nobody looked while tuning', () => {
    const { hits, wrong, fellBack } = ratesOf(asked.filter(({ isHeldOut }) => isHeldOut));
    expect(hits).toBeGreaterThanOrEqual(0.85);
    expect(wrong).toBeLessThanOrEqual(0.03);
    expect(fellBack).toBeGreaterThanOrEqual(0.95);
  });

  it.each(CORPUS.map((bot) => [bot.locale, bot] as const))('are answered in %s', (_, bot) => {
    const { hits, wrong } = ratesOf(asked.filter((one) => one.bot === bot));
    expect(hits).toBeGreaterThanOrEqual(0.8);
    expect(wrong).toBeLessThanOrEqual(0.05);
  });
});
