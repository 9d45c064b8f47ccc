import { languageOf, mannerOf, type Language, type Manner } from '../languages';
import { ar } from './ar';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { hi } from './hi';
import { it } from './it';
import { ja } from './ja';
import { nl } from './nl';
import { pt } from './pt';

/** What every bot can say by itself, in one language and manner. */
export interface Lines {
  greeting: string;
  thanks: string;
  goodbye: string;
  /** To who asks what it is; `{name}` is the bot's. */
  identity: string;
  /** Before several questions to choose from. */
  whichOfThese: string;
  /** Before a single one. */
  isItThis: string;
  fallback: string;
  /** After the fallback, before questions that may be near. */
  perhapsThese: string;
  /** `{word}` is the word to write. */
  offerPerson: string;
  /** A word that calls a person, as the visitor would write it. */
  personWord: string;
  offerForm: string;
  handoff: string;
  /** With a form that has been asked for. */
  fillIn: string;
  /** To who has filled one in. */
  confirmation: string;
  /** Before a list of commands. */
  commands: string;
  /** Of a bot without commands, to who asks for them. */
  noCommands: string;
}

/** Both manners have every line. */
export type LinesOfLanguage = Readonly<Record<Manner, Readonly<Lines>>>;

export const LINES: Readonly<Record<Language, LinesOfLanguage>> = { en, de, fr, es, pt, it, nl, hi, ar, ja };

/** A bot's own words: in its language and in the manner of its version's tone. */
export function linesOf({ locale, version }: { locale: string; version: { tone: string } }): Readonly<Lines> {
  return LINES[languageOf(locale)][mannerOf(version.tone)];
}
