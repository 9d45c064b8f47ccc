/** What the text of a language needs: its stemmer, and what is done to its words before. */
export interface Language {
  /** ISO 639, lower case. */
  code: string;
  /** Dictionary of PostgreSQL that stems its words; null leaves them as they are. */
  dictionary: string | null;
  /** Words are written together, as in Vertragskündigung. */
  compounds: boolean;
  /** Letters that a part of a compound, or the beginning that a family of words has in common, has at least. */
  partLength: number;
}

/** The stemmers that every supported PostgreSQL has, by ISO 639. */
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
/** A letter of these is a syllable or a word; where words end is a matter of taste. */
const DENSE: ReadonlySet<string> = new Set(['ja', 'zh', 'ko', 'th', 'lo', 'km', 'my', 'yue']);

/** The language of a BCP 47 locale such as `en-IN` or `pt_BR`; one that is not known is read without a stemmer. */
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
