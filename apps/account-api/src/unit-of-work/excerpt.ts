import { createHash } from 'node:crypto';

const MAX_NOTED_LENGTH = 10_000;

/**
 * Representation of a text in the audit log. Long texts are replaced by their length and digest, to limit the size of
 * the log.
 */
export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= MAX_NOTED_LENGTH) return text;
  return `${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}
