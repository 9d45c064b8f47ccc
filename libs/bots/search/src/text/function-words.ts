import { languageWords, type WordClass } from './languages';

/** Function words of Japanese: one or two hiragana. */
const SMALL_KANA = /^\p{Script=Hiragana}{1,2}$/u;
const classes = new Map<string, ReadonlyMap<string, WordClass>>();

/** The class of a folded word in a language; undefined for a word that is not listed. */
export function classOf(bare: string, code: string): WordClass | undefined {
  return listed(code).get(bare) ?? (code === 'ja' && SMALL_KANA.test(bare) ? 'stop' : undefined);
}

function listed(code: string): ReadonlyMap<string, WordClass> {
  let of = classes.get(code);
  if (!of) {
    const lists = languageWords(code)?.classes;
    const map = new Map<string, WordClass>();
    for (const [name, words] of Object.entries(lists ?? {})) {
      for (const word of words.split(/\s+/)) if (!map.has(word)) map.set(word, name as WordClass);
    }
    of = map;
    // Owners choose locales freely, so unlisted languages are not cached.
    if (lists) classes.set(code, of);
  }
  return of;
}
