/** The variable that is replaced by the unsubscribe link of each recipient. */
export const UNSUBSCRIBE_VARIABLE = 'unsubscribe_url';

/**
 * Placeholder for the link in stored content, because all recipients of a send share the content. It is the tag
 * itself, so that rendered templates and inline bodies look alike.
 */
export const UNSUBSCRIBE_PLACEHOLDER = `{{ ${UNSUBSCRIBE_VARIABLE} }}`;

/**
 * Maximum number of tags per part; further tags stay unchanged, because a link is several times longer than its tag.
 */
export const MAX_UNSUBSCRIBE_LINKS = 1_000;

const TAG = new RegExp(`\\{\\{[ \\t]{0,10}${UNSUBSCRIBE_VARIABLE}[ \\t]{0,10}\\}\\}`, 'g');

/** Finds the tags of the unsubscribe link, from the start of the text. */
export function* findUnsubscribeTags(text: string): Generator<{ start: number; end: number }> {
  let count = 0;
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    if (++count > MAX_UNSUBSCRIBE_LINKS) return;
    yield { start: index, end: index + tag.length };
  }
}

/** Splits a text once at its tags; the result is joined by the link of each recipient. */
export function splitAtUnsubscribeTags(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of findUnsubscribeTags(text)) {
    pieces.push(text.slice(from, start));
    from = end;
  }
  return [...pieces, text.slice(from)];
}
