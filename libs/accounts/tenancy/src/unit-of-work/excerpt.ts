import { createHash } from 'node:crypto';

const MAX_NOTED_LENGTH = 10_000;

/**
 * Returns the representation of a text in the audit log. Long texts are replaced with their length and digest, to limit
 * the size of the log.
 */
export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= MAX_NOTED_LENGTH) return text;
  return `${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}
