import { safeLink } from './safe-link';

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

/** Maximum nesting depth, strong in emphasis in a link; it also bounds the work. */
const MAX_DEPTH = 3;
const BARE_LINK = /(?:https?:\/\/|mailto:|tel:)[^\s<>"`\\]+/iy;
const TRAILING = /[.,;:!?'")\]}*_]+$/;

/** Parses one line of the Markdown subset. Everything else stays plain text. */
export function parseInline(source: string): Inline[] {
  return parse(source, 0, true);
}

/** Parses text in which only URLs become links: messages of the visitor. */
export function parseLinks(source: string): Inline[] {
  return parse(source, MAX_DEPTH, true);
}

function parse(source: string, depth: number, isLinkAllowed: boolean): Inline[] {
  const inlines: Inline[] = [];
  // Remembers missing closing marks, so that the work stays linear.
  const missing = new Set<string>();
  let plain = 0;
  let at = 0;
  const push = (inline: Inline, end: number) => {
    if (at > plain) inlines.push({ kind: 'text', text: source.slice(plain, at) });
    inlines.push(inline);
    plain = at = end;
  };
  const closing = (mark: string, from: number) => {
    if (missing.has(mark)) return -1;
    const found = source.indexOf(mark, from);
    if (found < 0) missing.add(mark);
    return found;
  };
  while (at < source.length) {
    const token =
      (depth < MAX_DEPTH && (codeAt(source, at, closing) ?? emphasisAt(source, at, closing, depth, isLinkAllowed))) ||
      (isLinkAllowed && ((depth < MAX_DEPTH && namedLinkAt(source, at, closing, depth)) || bareLinkAt(source, at)));
    if (token) push(token.inline, token.end);
    else at++;
  }
  if (plain < source.length) inlines.push({ kind: 'text', text: source.slice(plain) });
  return inlines;
}

interface Token {
  inline: Inline;
  end: number;
}
type Closing = (mark: string, from: number) => number;

function codeAt(source: string, at: number, closing: Closing): Token | null {
  if (source[at] !== '`') return null;
  const end = closing('`', at + 1);
  if (end <= at + 1) return null;
  return { inline: { kind: 'code', text: source.slice(at + 1, end) }, end: end + 1 };
}

function emphasisAt(source: string, at: number, closing: Closing, depth: number, links: boolean): Token | null {
  if (source[at] !== '*') return null;
  const mark = source[at + 1] === '*' ? '**' : '*';
  const from = at + mark.length;
  if (!isInk(source[from])) return null;
  let end = closing(mark, from + 1);
  // `*a **b** c*`: the end of a single mark is not half of a double one.
  while (mark === '*' && end >= 0 && source[end + 1] === '*') end = closing(mark, end + 2);
  if (end < 0 || !isInk(source[end - 1])) return null;
  const kind = mark === '**' ? 'strong' : 'emphasis';
  return { inline: { kind, children: parse(source.slice(from, end), depth + 1, links) }, end: end + mark.length };
}

function namedLinkAt(source: string, at: number, closing: Closing, depth: number): Token | null {
  if (source[at] !== '[') return null;
  const middle = closing('](', at + 1);
  if (middle <= at + 1) return null;
  const end = closing(')', middle + 2);
  if (end < 0) return null;
  const label = source.slice(at + 1, middle);
  const href = safeLink(source.slice(middle + 2, end));
  if (href === null || label.includes('[')) return null;
  return { inline: { kind: 'link', href, children: parse(label, depth + 1, false) }, end: end + 1 };
}

function bareLinkAt(source: string, at: number): Token | null {
  const first = source[at];
  if (first === undefined || !'hHmMtT'.includes(first) || isWord(source[at - 1])) return null;
  BARE_LINK.lastIndex = at;
  const found = BARE_LINK.exec(source)?.[0];
  if (found === undefined) return null;
  let address = found.replace(TRAILING, '');
  // A closing bracket belongs to the URL if the URL contains the opening bracket.
  if (found[address.length] === ')' && address.includes('(') && !address.includes(')')) address += ')';
  const href = safeLink(address);
  if (href === null) return null;
  return { inline: { kind: 'link', href, children: [{ kind: 'text', text: address }] }, end: at + address.length };
}

const isInk = (character: string | undefined): boolean => character !== undefined && !/\s/.test(character);
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
