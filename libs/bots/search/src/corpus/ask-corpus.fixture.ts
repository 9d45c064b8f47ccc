import type { SearchFixture } from '../search.fixture';
import type { CorpusBot } from './corpus';
import { outcomeOf, type Asked } from './evaluate';

/** Indexes the bots and searches for all of their questions; every third question of a bot is held out. */
export async function askCorpus(search: SearchFixture, corpus: readonly CorpusBot[]): Promise<Asked[]> {
  const results: Asked[] = [];
  for (const bot of corpus) {
    const filled = await search.bot(bot.locale, bot.items);
    for (const [at, [text, answer]] of bot.questions.entries()) {
      const expected = answer === null ? [] : [answer].flat();
      const decision = await search.decide(filled, text, bot.synonyms);
      results.push({ bot, text, expected, decision, outcome: outcomeOf(expected, decision), isHeldOut: at % 3 === 2 });
    }
  }
  return results;
}
