import { createHash } from 'node:crypto';

const MAX_NOTED_LENGTH = 10_000;

/**
 * What the audit log notes of a text. A log that holds every version of every long one grows without measure: of a long
 * one its digest tells them apart.
 */
export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= MAX_NOTED_LENGTH) return text;
  return `${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}
