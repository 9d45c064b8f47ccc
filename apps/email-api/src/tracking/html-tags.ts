/** A tag with its offsets in the document. */
export interface HtmlTag {
  /** Lower case; end tags include the slash. */
  name: string;
  start: number;
  end: number;
  /** Offsets of the value of the first `href`, without quotes; null if there is none. */
  href: { start: number; end: number; isQuoted: boolean } | null;
}

/** Elements with raw text (HTML standard, 13.2.5). `noscript` is parsed, because mail clients do not run scripts. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
const SPACE = /[\t\n\f\r ]*/y;
const SPACE_OR_SLASH = /[\t\n\f\r /]*/y;
const LETTER = /[a-z]/iy;
const TAG_NAME = /[^\t\n\f\r />]*/y;
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y;
const UNQUOTED_VALUE = /[^\t\n\f\r >]*/y;

/**
 * Finds the tags that a browser would parse, excluding comments, CDATA, scripts, styles and quoted values, and passes
 * each to `onTag`. Returns the end of the markup: before the end of the text if a tag, a comment or a style is not
 * closed. Takes linear time for any input. Yields after each short piece of work (see `inTurns`).
 */
export function* scanHtml(html: string, onTag: (tag: HtmlTag) => void): Generator<void, number> {
  let closesCdata = true;
  let at = html.indexOf('<');
  while (at >= 0) {
    yield;
    const start = at;
    if (html.startsWith('<!--', at)) at = endOfComment(html, at);
    else if (closesCdata && html.startsWith('<![CDATA[', at)) {
      const end = html.indexOf(']]>', at);
      // After a failed search for the end of CDATA, the search is not repeated, to keep the time linear.
      closesCdata = end >= 0;
      at = closesCdata ? end + 3 : start;
      if (!closesCdata) continue;
    } else if (isTagOpen(html, at)) {
      const tag = yield* readTag(html, at);
      if (!tag) return start;
      onTag(tag);
      at = tag.end;
      if (tag.name === 'plaintext') return start;
      if (RAW_TEXT.has(tag.name)) at = endOfRawText(html, tag);
    } else if (isBogusComment(html, at)) at = after(html.indexOf('>', at), 1);
    else at++;
    if (at < 0) return start;
    at = html.indexOf('<', at);
  }
  return html.length;
}

/** Offset after the match; -1 if not found. */
function after(found: number, length: number): number {
  return found < 0 ? -1 : found + length;
}

function endOfComment(html: string, start: number): number {
  if (html.startsWith('<!-->', start)) return start + 5;
  if (html.startsWith('<!--->', start)) return start + 6;
  const end = /--!?>/g;
  end.lastIndex = start + 4;
  return end.test(html) ? end.lastIndex : -1;
}

function isTagOpen(html: string, at: number): boolean {
  LETTER.lastIndex = html[at + 1] === '/' ? at + 2 : at + 1;
  return LETTER.test(html);
}

function isBogusComment(html: string, at: number): boolean {
  const next = html[at + 1];
  return next === '!' || next === '?' || (next === '/' && at + 2 < html.length);
}

function endOfRawText(html: string, { name, end }: HtmlTag): number {
  const endTag = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  endTag.lastIndex = end;
  return endTag.exec(html)?.index ?? -1;
}

/** Returns null if the text ends within the tag, which browsers ignore. */
function* readTag(html: string, start: number): Generator<void, HtmlTag | null> {
  let at = match(TAG_NAME, html, html[start + 1] === '/' ? start + 2 : start + 1);
  const name = html.slice(start + 1, at).toLowerCase();
  let href: HtmlTag['href'] = null;
  for (;;) {
    yield;
    at = match(SPACE_OR_SLASH, html, at);
    if (at >= html.length) return null;
    if (html[at] === '>') return { name, start, end: at + 1, href };
    const nameEnd = match(ATTRIBUTE_NAME, html, at);
    const isHref = nameEnd - at === 4 && html.slice(at, nameEnd).toLowerCase() === 'href';
    at = match(SPACE, html, nameEnd);
    if (html[at] !== '=') {
      // Only the first href is used, even if it has no value.
      if (isHref) href ??= { start: nameEnd, end: nameEnd, isQuoted: true };
      continue;
    }
    const value = readValue(html, match(SPACE, html, at + 1));
    if (!value) return null;
    if (isHref) href ??= value;
    at = value.isQuoted ? value.end + 1 : value.end;
  }
}

function readValue(html: string, at: number): HtmlTag['href'] {
  const quote = html[at];
  if (quote !== '"' && quote !== "'") return { start: at, end: match(UNQUOTED_VALUE, html, at), isQuoted: false };
  const end = html.indexOf(quote, at + 1);
  return end < 0 ? null : { start: at + 1, end, isQuoted: true };
}

/** Returns the end of the match of a sticky pattern that always matches. */
function match(pattern: RegExp, html: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(html);
  return pattern.lastIndex;
}
