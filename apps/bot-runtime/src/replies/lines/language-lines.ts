import type { Manner } from '../languages';

/** The built-in replies of a bot in one language and form of address. */
export interface Lines {
  greeting: string;
  thanks: string;
  goodbye: string;
  /** Reply to a question about the bot. `{name}` is replaced with the name of the bot. */
  identity: string;
  /** Shown before a choice of several questions. */
  whichOfThese: string;
  /** Shown before a single question. */
  isItThis: string;
  fallback: string;
  /** Shown after the fallback and before similar questions. */
  perhapsThese: string;
  /** Offer to talk to a person. `{word}` is replaced with `personWord`. */
  offerPerson: string;
  /** The word with which a visitor requests a person. */
  personWord: string;
  /** Label of the quick reply that requests a person, in the words of the visitor. */
  talkToPerson: string;
  offerForm: string;
  handoff: string;
  /** Shown with a form that the visitor requested. */
  fillIn: string;
  /** Shown after the submission of a form. */
  confirmation: string;
  /** Shown before a list of commands. */
  commands: string;
  /** Shown if the visitor requests the commands and the bot has no commands. */
  noCommands: string;
}

/** The lines of a language, complete for both forms of address. */
export type LinesOfLanguage = Readonly<Record<Manner, Readonly<Lines>>>;
