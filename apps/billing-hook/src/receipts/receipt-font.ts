import { readFileSync } from 'node:fs';
import { plainText } from '@heliograph/service-kit';
import { create, type Font as ParsedFont } from 'fontkit';

/** Font files of the two weights. */
interface Font {
  regular: string;
  bold: string;
}

// Embedded in the PDF, so that every viewer shows the same glyphs. The license permits embedding.
/** DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Georgian and symbols, but no Devanagari. */
const SANS: Font = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
/** Noto Sans Devanagari, web subset: only Devanagari, without European digits. */
const DEVANAGARI: Font = {
  regular: require.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff'),
  bold: require.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-700-normal.woff'),
};

const LETTERS_OF_SANS =
  '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Georgian}';
const FOREIGN_LETTER = new RegExp(
  `[^${LETTERS_OF_SANS}\\p{Script=Devanagari}\\p{Script=Common}\\p{Script=Inherited}]`,
  'u',
);
/** Dandas are used by several Indic scripts, so they do not select a font. */
const DEVANAGARI_LETTERS = '\\p{Script=Devanagari}\\u0964\\u0965';
/** Vedic signs and joiners belong to the preceding letter. */
const DEVANAGARI_MARKS = '\\u0951\\u0952\\u1cd0-\\u1cf9\\u200c\\u200d';
const DEVANAGARI_RUN = new RegExp(`([${DEVANAGARI_LETTERS}][${DEVANAGARI_LETTERS}${DEVANAGARI_MARKS}]*)`, 'u');
const RIGHT_TO_LEFT = '[\\p{Script=Hebrew}\\p{Script=Arabic}]+';
const RIGHT_TO_LEFT_LETTER = new RegExp(RIGHT_TO_LEFT, 'u');
const RIGHT_TO_LEFT_WORDS = new RegExp(`${RIGHT_TO_LEFT}(?: ${RIGHT_TO_LEFT})+`, 'gu');

const parsedFonts = new Map<string, ParsedFont>();

/** Text in one font. */
export interface Run {
  text: string;
  /** Path of the font file. */
  font: string;
}

/** The default font. */
export function mainFont(bold: boolean): string {
  return fileOf(SANS, bold);
}

/** Whether the text contains characters that the default font lacks. */
export function needsRuns(text: string): boolean {
  return DEVANAGARI_RUN.test(text);
}

/** Parses a font file once per process. Parsing it for each receipt would take most of the time of rendering. */
export function parsedFont(file: string): ParsedFont {
  let font = parsedFonts.get(file);
  if (!font) {
    // Only collections contain several fonts.
    font = create(readFileSync(file)) as ParsedFont;
    parsedFonts.set(file, font);
  }
  return font;
}

/** Splits the text into runs of one font. */
export function runsOf(text: string, bold: boolean): Run[] {
  // `split` puts the parts that match the capturing group at odd indices.
  return text
    .split(DEVANAGARI_RUN)
    .map((part, index) => ({ text: part, font: fileOf(index % 2 === 1 ? DEVANAGARI : SANS, bold) }))
    .filter((run) => run.text !== '');
}

/** Whether all characters have glyphs. Other scripts, such as Tamil or Han, would appear as boxes. */
export function hasLettersOf(text: string): boolean {
  return !FOREIGN_LETTER.test(text);
}

/** Whether pdfkit must set each word separately: spaces inside a right-to-left run would change sides. */
export function runsFromRight(text: string): boolean {
  return RIGHT_TO_LEFT_LETTER.test(text);
}

/**
 * Reorders the words of a line for pdfkit, which sets words from left to right: consecutive right-to-left words are
 * reversed.
 */
export function settable(text: string, maxLength?: number): string {
  return plainText(text, maxLength).replaceAll(RIGHT_TO_LEFT_WORDS, (words) => words.split(' ').reverse().join(' '));
}

function fileOf(font: Font, bold: boolean): string {
  return bold ? font.bold : font.regular;
}
