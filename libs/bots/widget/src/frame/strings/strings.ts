import { ar } from './ar';
import { de } from './de';
import { en, type Strings } from './en';
import { es } from './es';
import { fr } from './fr';
import { hi } from './hi';
import { it } from './it';
import { ja } from './ja';
import { nl } from './nl';
import { pt } from './pt';

export const LANGUAGES: Record<string, Strings> = { ar, de, en, es, fr, hi, it, ja, nl, pt };

const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'iw', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

export interface Interface {
  strings: Strings;
  /** Of the strings, for `lang`. */
  language: string;
  direction: 'ltr' | 'rtl';
  /** For dates and times; a valid tag of BCP 47. */
  locale: string;
}

/** The interface for a bot's locale (`pt-BR`, `pt_BR`): in its language, or in English. */
export function interfaceFor(botLocale: string): Interface {
  const tag = botLocale.trim().replaceAll('_', '-');
  const base = tag.split('-')[0]?.toLowerCase() ?? '';
  const strings = Object.prototype.hasOwnProperty.call(LANGUAGES, base) ? LANGUAGES[base] : undefined;
  return {
    strings: strings ?? en,
    language: strings ? base : 'en',
    direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr',
    // Dates of a language stand among words of the same.
    locale: strings && isLocale(tag) ? tag : 'en',
  };
}

/** Fills the `{names}` of a string. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
