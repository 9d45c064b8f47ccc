import type { InboundRow } from '@heliograph/chatapp-messages';

type Keyword = Pick<InboundRow, 'keyword_status' | 'keyword_source'>;

const STOP: Keyword = { keyword_status: 'opted_out', keyword_source: 'keyword_stop' };
const START: Keyword = { keyword_status: 'opted_in', keyword_source: 'keyword_start' };
const NONE: Keyword = { keyword_status: null, keyword_source: null };

const KEYWORDS = new Map<string, Keyword>([
  ...['stop', 'unsubscribe', 'cancel', 'end', 'quit'].map((word) => [word, STOP] as const),
  ...['start', 'unstop', 'subscribe'].map((word) => [word, START] as const),
]);

/** Returns the consent that a text message with only a keyword expresses. */
export function keywordOf(body: unknown): Keyword {
  return (typeof body === 'string' ? KEYWORDS.get(body.trim().toLowerCase()) : undefined) ?? NONE;
}
