/** Characters of a header line (RFC 5322, 2.1.1). */
export const MAX_SUBJECT_LENGTH = 998;

// Control characters, Unicode line separators and lone surrogates.
const UNSOUND = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Returns the violated rule of a subject, to be appended to its name; null if the subject is valid. */
export function subjectFault(text: string): string | null {
  if (text.length > MAX_SUBJECT_LENGTH) return `must have at most ${MAX_SUBJECT_LENGTH} characters`;
  return UNSOUND.test(text) ? 'must be one line without control characters' : null;
}
