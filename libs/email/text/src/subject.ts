import { AppError } from '@heliograph/errors';

/** Characters of a header line (RFC 5322, 2.1.1). */
export const MAX_SUBJECT_LENGTH = 998;

// Controls, the separators that some programs break lines at, and halves of surrogate pairs.
const UNSOUND = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** What a subject must not be, in words that end a sentence beginning with its name; null when it is sound. */
export function subjectFault(text: string): string | null {
  if (text.length > MAX_SUBJECT_LENGTH) return `must have at most ${MAX_SUBJECT_LENGTH} characters`;
  return UNSOUND.test(text) ? 'must be one line without control characters' : null;
}

/** The subject as it is. Throws INVALID_REQUEST where it would break, or break out of, its header line. */
export function checkSubject(text: string): string {
  const fault = subjectFault(text);
  if (fault !== null) throw new AppError('INVALID_REQUEST', `subject: ${fault}.`);
  return text;
}
