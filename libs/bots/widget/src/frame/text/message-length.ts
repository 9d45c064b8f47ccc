/** The server's limit for a message, in code points. */
export const MAX_MESSAGE_LENGTH = 4_000;

/** Length as the server counts: a character beyond the basic plane is one, not two. */
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
