import { en } from './en';

/** The texts of the console in the language of the person. */
export const strings = en;
