import { cleanText } from '@heliograph/bot-catalog';
import { withKnownAddresses, type KnownAddresses } from './addresses';
import { NO_ANSWER } from './prompt';
import type { Confidential } from './confidential';

/** The data against which an answer is checked. */
export interface Grounds {
  /** Number of passages, which are numbered from 1. */
  passages: number;
  addresses: KnownAddresses;
  confidential: Confidential;
}

export type ReadAnswer =
  | { kind: 'text'; text: string; /** Numbers of the cited passages, in order of first citation. */ cited: number[] }
  | { kind: 'refused'; why: 'no-answer' | 'leak' };

/** Citations such as `[1]`, `[1, 2]`, `[^1]` and `【1】`, with or without a link target. */
const CITATION =
  /\s*(?:\[\^?\d{1,3}(?:\s*[,;]\s*\^?\d{1,3})*\]|【\d{1,3}(?:[†:][^】\n]{0,50})?】)(?:\([^()\s]{0,500}\))?/gu;
/** Reasoning that some models write before the answer. */
const THOUGHTS = /^\s*<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/i;
const OPENINGS = [
  ['[', ']'],
  ['【', '】'],
  ['<', '>'],
  ['](', ')'],
] as const;
/** A word boundary: after whitespace, or inside a script without spaces. */
const BREAK = /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、！？]/u;
const LONGEST_HELD = 600;

/** Cleans the text of a model: the part that a visitor may see, and the cited passages. */
export function readAnswer(raw: string, { passages, addresses, confidential }: Grounds): ReadAnswer {
  const written = raw.replace(THOUGHTS, '');
  const why = reasonToRefuse(written, confidential);
  if (why) return { kind: 'refused', why };
  const cited = new Set<number>();
  const bare = written.replace(CITATION, (citation) => {
    for (const [digits] of citation.split('(')[0]?.matchAll(/\d+/g) ?? []) {
      const number = Number(digits);
      if (number >= 1 && number <= passages) cited.add(number);
    }
    return '';
  });
  const text = withKnownAddresses(cleanText(bare), addresses).trim();
  // Repeated, because the removal of a citation or a tag joins the texts before and after it.
  const whyNow = reasonToRefuse(text, confidential);
  return whyNow ? { kind: 'refused', why: whyNow } : { kind: 'text', text, cited: [...cited] };
}

function reasonToRefuse(text: string, confidential: Confidential): 'no-answer' | 'leak' | null {
  if (text.includes(NO_ANSWER)) return 'no-answer';
  return confidential.isIn(text) ? 'leak' : null;
}

/** Length of the text that later parts cannot change: complete words, without an incomplete citation, link or tag. */
export function decidedLength(raw: string): number {
  let end = raw.length;
  while (end > 0 && !BREAK.test(raw.charAt(end - 1))) end--;
  for (const [opening, closing] of OPENINGS) {
    const from = raw.lastIndexOf(opening, end - 1);
    if (from < 0 || end - from > LONGEST_HELD) continue;
    const closed = raw.indexOf(closing, from + opening.length);
    if (closed >= 0 && closed < end) continue;
    const label = opening === '](' ? raw.lastIndexOf('[', from) : from;
    end = Math.min(end, label < 0 ? from : label);
  }
  return end;
}

/** A truncated text up to its last complete sentence; empty if there is none. */
export function wholeSentences(raw: string): string {
  const ends = [
    ...raw.matchAll(
      /[.!?…](?:\s*(?:\[\^?\d{1,3}\]|【\d{1,3}】))*(?=\s|$)|[。！？।؟](?:\s*\[\d{1,3}\])*|\n(?=\s*(?:[-*]|\d+\.)\s)/gu,
    ),
  ];
  const last = ends.at(-1);
  return last ? raw.slice(0, last.index + last[0].length) : '';
}
