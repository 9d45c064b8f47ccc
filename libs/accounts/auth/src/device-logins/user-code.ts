import { randomInt } from 'node:crypto';

/** Consonants: the codes are no words, and no letter looks like a digit (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** A code of 8 letters with 34 random bits, without its hyphen. Its few attempts per minute and its short life protect it. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The code as it is displayed: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Reads a code that a person has typed, in any case, with or without the hyphen. Null if it is none. */
export function readUserCode(text: string): string | null {
  const letters = text.replace(/[\s-]/g, '');
  // Some other letters have an upper case in the Latin alphabet.
  if (!/^[A-Za-z]{8}$/.test(letters)) return null;
  const code = letters.toUpperCase();
  return [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}
