/** Returns the violated rule of html or text, to be appended to its name; null if PostgreSQL can store it. */
export function bodyFault(text: string): string | null {
  return text.includes('\0') || !text.isWellFormed() ? 'must not contain NUL or unpaired surrogates' : null;
}
