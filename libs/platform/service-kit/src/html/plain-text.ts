const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Bidirectional control characters, which can make text appear as something else. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Converts untrusted text to one line: no control characters, no bidirectional controls, limited length. */
export function plainText(text: string, maxLength = 200): string {
  const line = text.toWellFormed().replaceAll(DIRECTION_MARKS, '').replaceAll(CONTROLS, ' ').trim();
  const characters = Array.from(line.slice(0, 2 * maxLength + 2));
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}
