/** Text processing of a language: its stemmer and rules for words. */
export interface Language {
  /** ISO 639 code in lower case. */
  code: string;
  /** PostgreSQL dictionary for stemming; null for no stemming. */
  dictionary: string | null;
  /** The language forms compounds, as in Vertragskündigung. */
  compounds: boolean;
  /** Minimum number of letters of a compound part, or of the common prefix of related words. */
  partLength: number;
}

/** The stemmers of every supported PostgreSQL version, by ISO 639 code. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ms: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nb: 'norwegian',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};
const COMPOUNDING: ReadonlySet<string> = new Set(['de', 'nl', 'sv', 'da', 'nb', 'nn', 'no', 'fi', 'hu']);
/** In these languages, a letter is a syllable or a word, and word boundaries are ambiguous. */
const DENSE: ReadonlySet<string> = new Set(['ja', 'zh', 'ko', 'th', 'lo', 'km', 'my', 'yue']);

/** Returns the language of a BCP 47 locale such as `en-IN` or `pt_BR`; an unknown language has no stemmer. */
export function languageOf(locale: string): Language {
  const code = /^[a-z]{2,3}(?=$|[-_])/i.exec(locale.trim())?.[0].toLowerCase() ?? 'und';
  const stemmer = Object.hasOwn(STEMMERS, code) ? STEMMERS[code] : undefined;
  return {
    code,
    dictionary: stemmer ? `${stemmer}_stem` : null,
    compounds: COMPOUNDING.has(code) || DENSE.has(code),
    partLength: DENSE.has(code) ? 2 : 4,
  };
}
