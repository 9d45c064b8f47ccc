import { classOf } from './function-words';
import type { Language } from './language';
import { fold, normalize } from './normalize';

/** Longer words are cut, because PostgreSQL limits the length of a lexeme. */
const MAX_WORD_LENGTH = 48;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:'[\p{L}\p{M}\p{N}]+)*/gu;
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ELIDING: ReadonlySet<string> = new Set(['fr', 'it', 'ca']);
/** English negations typed without the apostrophe. */
const NEGATED =
  /^(do|does|did|is|are|was|were|ca|wo|could|would|should|have|has|had|must|need)n'?t$|^(can)not$|^(ai)n't$/;
const NEGATED_STEMS: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', ai: 'is' };

/** Separable verb prefixes, which stand at the end of the sentence: "Wie lade ich mein Guthaben auf?" */
const SEPARABLE: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set('ab an auf aus bei ein fest frei her hin los mit nach um vor weg weiter zu zurück zusammen'.split(' ')),
  nl: new Set('aan af bij door in mee na om op over terug toe uit vast voor weg'.split(' ')),
};
const SENTENCE_END = /[.!?;,:\n]+/;
const MIN_VERB_LENGTH = 3;

const segmenters = new Map<string, Intl.Segmenter>();

/** The normalized words of a text in order. Contractions are split, and text without spaces is segmented. */
export function wordsOf(text: string, language: Language, most = Infinity): string[] {
  const found: string[] = [];
  const plain = normalize(text)
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/(?<=\d)[.,](?=\d{3}(?!\d))/g, '')
    .replace(/(?<![\p{L}\p{M}\p{N}])(\p{L}{1,2})-(?=\p{L})/gu, '$1');
  const particles = SEPARABLE[language.code];
  const runs = particles
    ? plain.split(SENTENCE_END).flatMap((sentence) => reunited(sentence.match(WORD) ?? [], particles, language.code))
    : (plain.match(WORD) ?? []);
  for (const run of runs) {
    if (found.length >= most) break;
    for (const word of WITHOUT_BLANKS.test(run) ? segmented(run, language) : partsOf(run, language)) {
      found.push(word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).toWellFormed() : word);
    }
  }
  return found.length > most ? found.slice(0, most) : found;
}

/** The words of a sentence. A separated prefix at its end is put back before its verb, one of the first words. */
function reunited(words: string[], particles: ReadonlySet<string>, code: string): string[] {
  const last = words.at(-1);
  if (last === undefined || words.length < 3 || !particles.has(last)) return words;
  const verb = words.findIndex((word) => {
    const of = classOf(fold(word), code);
    return word.length >= MIN_VERB_LENGTH && (of === undefined || of === 'light');
  });
  if (verb < 0 || verb > 2) return words;
  return words.slice(0, -1).map((word, at) => (at === verb ? last + word : word));
}

function partsOf(run: string, { code }: Language): string[] {
  if (code === 'en') {
    const negated = NEGATED.exec(run);
    if (negated) {
      const stem = negated[1] ?? negated[2] ?? negated[3] ?? '';
      return [NEGATED_STEMS[stem] ?? stem, 'not'];
    }
  }
  if (!run.includes("'")) return [run];
  const parts = run.split("'");
  if (code === 'en') return [parts[0] ?? run];
  if (!ELIDING.has(code)) return [parts.join('')];
  return parts.flatMap((part, at) => {
    if (at === parts.length - 1 || part.length > 4) return [part];
    return part === 'n' ? ['ne'] : [];
  });
}

function segmented(run: string, { code }: Language): string[] {
  let segmenter = segmenters.get(code);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(code, { granularity: 'word' });
    segmenters.set(code, segmenter);
  }
  return [...segmenter.segment(run)].map(({ segment }) => segment).filter((segment) => /[\p{L}\p{N}]/u.test(segment));
}
