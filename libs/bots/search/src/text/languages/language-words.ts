/**
 * How much a word says about what is asked. `filler`: greetings and politeness; `stop`: articles and the like; `ask`:
 * question words; `light`: words that go with any subject; `not`: negations; `content`: all others.
 */
export type WordClass = 'content' | 'light' | 'ask' | 'not' | 'stop' | 'filler';

/** What is known of the words of a language; all of it lower case. */
export interface LanguageWords {
  /** Words that say little, apart by blanks. A word counts as what it is listed as first. */
  classes: Readonly<Record<Exclude<WordClass, 'content'>, string>>;
  /**
   * Words apart by blanks that tell something where the bot has them and little where it does not: verbs, adjectives
   * and people of any talk (`accept`, `best`, `wife`). A question may hold them and still be about what the bot knows.
   */
  generic?: string;
  /**
   * Words and phrases that hold for nearly any business, one relation a line, members apart by `|`:
   * - `cancel|call off`: each may stand for any other of them;
   * - `pet: dog|cat`: the members are kinds of the first, and do not stand for each other;
   * - `weekend ~ saturday|sunday`: who says the first may well speak of the members, or the other way round.
   * They count for less than the synonyms of the bot's owner, and words that a support desk must keep apart are
   * related in no line.
   */
  synonyms: readonly string[];
}
