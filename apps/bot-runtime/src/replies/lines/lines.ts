import { languageOf, mannerOf, type Language } from '../languages';
import { ar } from './ar';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { hi } from './hi';
import { it } from './it';
import { ja } from './ja';
import type { Lines, LinesOfLanguage } from './language-lines';
import { nl } from './nl';
import { pt } from './pt';

export const LINES: Readonly<Record<Language, LinesOfLanguage>> = { en, de, fr, es, pt, it, nl, hi, ar, ja };

/** Returns the built-in replies in the language of the bot and in the form of address of its version. */
export function linesOf({ locale, version }: { locale: string; version: { tone: string } }): Readonly<Lines> {
  return LINES[languageOf(locale)][mannerOf(version.tone)];
}
