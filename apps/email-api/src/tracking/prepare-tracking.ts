import escapeHtml from 'escape-html';
import { findUnsubscribeTags } from '@heliograph/email-text';
import { isTokenPath, MAX_CLICK_URL_BYTES } from '../tokens/recipient-tokens';
import { decodeHref } from './href-text';
import { scanHtml, type HtmlTag } from './html-tags';

/** The links of one recipient. */
export interface RecipientLinks {
  /** Returns the replacement of a link; null if links are not tracked. */
  click: ((url: string) => string) | null;
  /** URL of the tracking pixel; null if opens are not tracked. */
  openUrl: string | null;
  /** URL of the page that unsubscribes, for the tags `{{ unsubscribe_url }}`. */
  unsubscribeUrl: string;
}

/** An HTML part whose links and unsubscribe tags are located once and replaced for every recipient. */
export interface TrackedHtml {
  /** Yields after each link (see `inTurns`). */
  render(links: RecipientLinks): Generator<void, string>;
}

/** Links after this number are not tracked, because each tracked link requires a signature for every recipient. */
export const MAX_TRACKED_LINKS = 1_000;

const TRACKED_TAGS = new Set(['a', 'area']);
const WEB_ADDRESS = /^https?:\/\/[^/?#\\]/i;
const TEMPLATE_MARK = /\{\{|\{%/;
const CONTROL = /\p{Cc}/u;
/** Browsers remove these from a URL, and surrounding spaces (URL standard, 4.4). */
const LINE_BREAKS_AND_TABS = /[\t\n\r]/g;

/** A range to replace: the target of a link, the empty range of the tracking pixel, or an unsubscribe tag. */
type Place = { start: number; end: number } & (
  { kind: 'link'; url: string; isQuoted: boolean } | { kind: 'pixel' } | { kind: 'unsubscribe' }
);

/**
 * Finds the http(s) links of an HTML part and the position of the tracking pixel: before the last `</body>`, otherwise
 * at the end. Finds the tags `{{ unsubscribe_url }}` anywhere; links that contain such a tag are not tracked.
 * Everything else stays unchanged, including `mailto:` links, anchors, other template tags, unsubscribe links and links
 * after the first 1,000. Yields after each short piece of work (see `inTurns`).
 */
export function* prepareTracking(html: string): Generator<void, TrackedHtml> {
  const places: Place[] = [];
  let endOfBody: number | null = null;
  const end = yield* scanHtml(html, (tag) => {
    if (tag.name === '/body') endOfBody = tag.start;
    if (!TRACKED_TAGS.has(tag.name) || places.length >= MAX_TRACKED_LINKS) return;
    const place = linkPlace(html, tag);
    if (place) places.push(place);
  });
  const pixelAt = endOfBody ?? end;
  places.push({ kind: 'pixel', start: pixelAt, end: pixelAt });
  // Links contain no tags, so that no two ranges overlap.
  for (const tag of findUnsubscribeTags(html)) {
    yield;
    places.push({ kind: 'unsubscribe', ...tag });
  }
  places.sort((a, b) => a.start - b.start);

  // The texts between the ranges are copied unchanged.
  const texts = places.map(({ start }, index) => html.slice(places[index - 1]?.end ?? 0, start));
  const rest = html.slice(places.at(-1)?.end ?? 0);
  const urls = new Set(places.flatMap((place) => (place.kind === 'link' ? [place.url] : [])));

  return {
    *render({ click, openUrl, unsubscribeUrl }) {
      const pixel = openUrl === null ? '' : pixelTag(openUrl);
      const targets = new Map<string, string>();
      for (const url of click ? urls : []) {
        yield;
        if (click) targets.set(url, escapeHtml(click(url)));
      }
      const unsubscribe = escapeHtml(unsubscribeUrl);
      let rendered = '';
      for (const [index, place] of places.entries()) {
        rendered += texts[index] ?? '';
        if (place.kind === 'pixel') rendered += pixel;
        else if (place.kind === 'unsubscribe') rendered += unsubscribe;
        else rendered += quoted(targets.get(place.url), place.isQuoted) ?? html.slice(place.start, place.end);
      }
      return rendered + rest;
    },
  };
}

function quoted(target: string | undefined, isQuoted: boolean): string | undefined {
  return target === undefined || isQuoted ? target : `"${target}"`;
}

function pixelTag(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

function linkPlace(html: string, { href }: HtmlTag): Place | null {
  if (href === null) return null;
  const url = trackedUrl(html.slice(href.start, href.end));
  return url === null ? null : { kind: 'link', ...href, url };
}

/** Returns the URL of a trackable link; null for other links. */
function trackedUrl(value: string): string | null {
  // Decoded text is never longer than its encoded form.
  if (value.length > 10 * MAX_CLICK_URL_BYTES) return null;
  const url = decodeHref(value)?.replaceAll(LINE_BREAKS_AND_TABS, '').trim() ?? '';
  if (!WEB_ADDRESS.test(url) || TEMPLATE_MARK.test(url) || CONTROL.test(url) || !URL.canParse(url)) return null;
  if (Buffer.byteLength(url) > MAX_CLICK_URL_BYTES || isTokenPath(new URL(url).pathname)) return null;
  return url;
}
