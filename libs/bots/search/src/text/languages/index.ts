import { ar } from './ar';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { hi } from './hi';
import { id } from './id';
import { it } from './it';
import { ja } from './ja';
import { ko } from './ko';
import { nl } from './nl';
import { pl } from './pl';
import { pt } from './pt';
import { ru } from './ru';
import { sv } from './sv';
import { tr } from './tr';
import { zh } from './zh';
import type { LanguageWords } from './language-words';

export type { LanguageWords, WordClass } from './language-words';

/** By ISO 639 code. */
const LANGUAGES: Readonly<Record<string, LanguageWords>> = {
  ar,
  de,
  en,
  es,
  fr,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  sv,
  tr,
  zh,
};

/** What is known of the words of a language; undefined for most. */
export function languageWords(code: string): LanguageWords | undefined {
  return Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code] : undefined;
}
