const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the direction of what follows, and could make a line read as another one. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text from anywhere: no control characters, no marks of direction, at most so many characters. */
export function plainText(text: string, maxLength = 200): string {
  const line = text.toWellFormed().replaceAll(DIRECTION_MARKS, '').replaceAll(CONTROLS, ' ').trim();
  const characters = Array.from(line.slice(0, 2 * maxLength + 2));
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
