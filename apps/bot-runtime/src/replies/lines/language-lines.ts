import type { Manner } from '../languages';

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
