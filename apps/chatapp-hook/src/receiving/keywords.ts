import type { InboundRow, MessageContent } from '@heliograph/chatapp-messages';

type Keyword = Pick<InboundRow, 'keyword_status' | 'keyword_source'>;
type MatchedKeyword = Keyword & Pick<InboundRow, 'keyword_text'>;

const STOP: Keyword = { keyword_status: 'opted_out', keyword_source: 'keyword_stop' };
const START: Keyword = { keyword_status: 'opted_in', keyword_source: 'keyword_start' };
const NONE: Keyword = { keyword_status: null, keyword_source: null };

const KEYWORDS = new Map<string, Keyword>([
  ...['stop', 'unsubscribe', 'cancel', 'end', 'quit'].map((word) => [word, STOP] as const),
  ...['start', 'unstop', 'subscribe'].map((word) => [word, START] as const),
]);

/**
 * Returns the consent that a message expresses: a text that is only a keyword, or a reply whose title, id or payload is one. A caption
 * of a media file expresses none.
 */
export function keywordOf(type: string, { text, reply }: MessageContent): MatchedKeyword {
  const texts = reply ? [reply.title, reply.payload, reply.id] : [type === 'text' ? text : null];
  for (const one of texts) {
    const keyword = KEYWORDS.get(one?.trim().toLowerCase() ?? '');
    if (keyword) return { ...keyword, keyword_text: one };
  }
  return { ...NONE, keyword_text: null };
}
