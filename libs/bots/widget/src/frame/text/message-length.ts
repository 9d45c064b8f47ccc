/** Maximum length of a message on the server, in code points. */
export const MAX_MESSAGE_LENGTH = 4_000;

/** Length in code points, as the server counts: a surrogate pair counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count--;
      at++;
    }
  }
  return count;
}
