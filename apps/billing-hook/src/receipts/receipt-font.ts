import { plainText } from '@heliograph/mails';

/** The two weights of a font, as files. */
interface Font {
  regular: string;
  bold: string;
}

// Embedded, so that every viewer shows the same, and free to be.
/** DejaVu Sans: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Georgian, and signs. It has no Devanagari. */
const SANS: Font = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
/** Noto Sans Devanagari, as cut for the web: it has nothing else, no digits of ours either. */
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
/** The dandas end sentences of many scripts of India, so they are nobody's letters. */
const DEVANAGARI_LETTERS = '\\p{Script=Devanagari}\\u0964\\u0965';
/** Vedic signs, and the joiners that make or forbid a ligature: they belong to the letter before. */
const DEVANAGARI_MARKS = '\\u0951\\u0952\\u1cd0-\\u1cf9\\u200c\\u200d';
const DEVANAGARI_RUN = new RegExp(`([${DEVANAGARI_LETTERS}][${DEVANAGARI_LETTERS}${DEVANAGARI_MARKS}]*)`, 'u');
const RIGHT_TO_LEFT = '[\\p{Script=Hebrew}\\p{Script=Arabic}]+';
const RIGHT_TO_LEFT_LETTER = new RegExp(RIGHT_TO_LEFT, 'u');
const RIGHT_TO_LEFT_WORDS = new RegExp(`${RIGHT_TO_LEFT}(?: ${RIGHT_TO_LEFT})+`, 'gu');

/** Text of one font. */
export interface Run {
  text: string;
  /** The font's file. */
  font: string;
}

/** The font of everything that needs no other. */
export function mainFont(bold: boolean): string {
  return fileOf(SANS, bold);
}

/** Whether the text needs more than the main font. */
export function needsRuns(text: string): boolean {
  return DEVANAGARI_RUN.test(text);
}

/** The text, cut where the font changes. */
export function runsOf(text: string, bold: boolean): Run[] {
  // What a pattern in parentheses splits at stays, at the odd places.
  return text
    .split(DEVANAGARI_RUN)
    .map((part, index) => ({ text: part, font: fileOf(index % 2 === 1 ? DEVANAGARI : SANS, bold) }))
    .filter((run) => run.text !== '');
}

/** Whether there are letters for the text. There are none of other scripts, such as Tamil or Han: they show as boxes. */
export function hasLettersOf(text: string): boolean {
  return !FOREIGN_LETTER.test(text);
}

/** Whether pdfkit must set the words one by one: a blank within a run from the right would change its side. */
export function runsFromRight(text: string): boolean {
  return RIGHT_TO_LEFT_LETTER.test(text);
}

/** One line as pdfkit wants it: it sets words one by one from the left, so words that run from the right change places. */
export function settable(text: string, maxLength?: number): string {
  return plainText(text, maxLength).replaceAll(RIGHT_TO_LEFT_WORDS, (words) => words.split(' ').reverse().join(' '));
}

function fileOf(font: Font, bold: boolean): string {
  return bold ? font.bold : font.regular;
}
