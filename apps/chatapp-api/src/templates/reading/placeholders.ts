import { invalid } from './invalid';

const PLACEHOLDER = /\{\{([1-9]\d{0,3})\}\}/g;

/** Returns the number of placeholders in a text. Throws unless they are {{1}}, {{2}} and so on, without a gap. */
export function countPlaceholders(what: string, text: string): number {
  const rest = text.replace(PLACEHOLDER, ' ');
  if (rest.includes('{{') || rest.includes('}}')) {
    throw invalid(what, 'must contain placeholders only in the form {{1}}, {{2}} and so on');
  }
  const numbers = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number)));
  for (let expected = 1; expected <= numbers.size; expected++) {
    if (!numbers.has(expected))
      throw invalid(what, 'must have placeholders that are numbered from {{1}} without a gap');
  }
  return numbers.size;
}

/** Returns the text without the placeholders. */
export function countWords(text: string): number {
  return text.replace(PLACEHOLDER, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

export function startsOrEndsWithPlaceholder(text: string): boolean {
  const trimmed = text.trim();
  return /^\{\{\d+\}\}/.test(trimmed) || /\{\{\d+\}\}$/.test(trimmed);
}

/** Sample values that reviewers see if the request contains no samples. */
export function samplesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => (count === 1 ? 'sample' : `sample ${index + 1}`));
}
