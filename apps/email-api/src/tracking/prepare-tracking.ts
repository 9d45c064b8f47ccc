import { isTokenPath, MAX_CLICK_URL_BYTES } from '../tokens/recipient-tokens';
import { decodeHref, encodeAttribute } from './href-text';
import { scanHtml, type HtmlTag } from './html-tags';

export interface TrackingLinks {
  /** Where a link of the mail leads instead; null: links stay. */
  click: ((url: string) => string) | null;
  /** The picture that is loaded when the mail is opened; null: none. */
  openUrl: string | null;
}

/** An html part whose links are found once, and replaced for every recipient. */
export interface TrackedHtml {
  render(links: TrackingLinks): string;
}

const TRACKED_TAGS = new Set(['a', 'area', '/body']);
const WEB_ADDRESS = /^https?:\/\/[^/?#\\]/i;
const TEMPLATE_MARK = /\{\{|\{%/;
const CONTROL = /\p{Cc}/u;
/** Browsers drop these from a URL, and blanks around it (URL standard, 4.4). */
const LINE_BREAKS_AND_TABS = /[\t\n\r]/g;

/** What is replaced: `text` is what stands there, `url` where it leads. The place of the picture has no url. */
interface Place {
  start: number;
  end: number;
  url: string | null;
  isQuoted: boolean;
}

/**
 * Finds the links of an html part to web addresses, and the place for the picture: before the last `</body>`, else at
 * the end. All the rest, links to `mailto:`, anchors, what is left of templates and our own unsubscribe links among
 * it, stays byte for byte.
 */
export function prepareTracking(html: string): TrackedHtml {
  const { tags, end } = scanHtml(html, TRACKED_TAGS);
  const places = tags.map((tag) => linkPlace(html, tag)).filter((place) => place !== null);
  const pixelAt = tags.findLast(({ name }) => name === '/body')?.start ?? end;
  places.push({ start: pixelAt, end: pixelAt, url: null, isQuoted: true });
  places.sort((a, b) => a.start - b.start);

  // Between each two texts stands one place.
  const texts = places.map(({ start }, index) => html.slice(places[index - 1]?.end ?? 0, start));
  const rest = html.slice(places.at(-1)?.end ?? 0);
  const urls = new Set(places.map(({ url }) => url).filter((url) => url !== null));

  return {
    render: ({ click, openUrl }) => {
      if (!click && openUrl === null) return html;
      const pixel = openUrl === null ? '' : pixelTag(openUrl);
      const targets = new Map(click ? [...urls].map((url) => [url, encodeAttribute(click(url))]) : []);
      let rendered = '';
      for (const [index, { start, end, url, isQuoted }] of places.entries()) {
        rendered += texts[index] ?? '';
        if (url === null) rendered += pixel;
        else rendered += quoted(targets.get(url), isQuoted) ?? html.slice(start, end);
      }
      return rendered + rest;
    },
  };
}

function quoted(target: string | undefined, isQuoted: boolean): string | undefined {
  return target === undefined || isQuoted ? target : `"${target}"`;
}

function pixelTag(url: string): string {
  return `<img src="${encodeAttribute(url)}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

function linkPlace(html: string, { name, href }: HtmlTag): Place | null {
  if (href === null || name === '/body') return null;
  const url = trackedUrl(html.slice(href.start, href.end));
  return url === null ? null : { ...href, url };
}

/** The address of a link that is tracked; null for one that stays as it is. */
function trackedUrl(value: string): string | null {
  // References make a text shorter, never longer than this.
  if (value.length > 10 * MAX_CLICK_URL_BYTES) return null;
  const url = decodeHref(value)?.replaceAll(LINE_BREAKS_AND_TABS, '').trim() ?? '';
  if (!WEB_ADDRESS.test(url) || TEMPLATE_MARK.test(url) || CONTROL.test(url) || !URL.canParse(url)) return null;
  if (Buffer.byteLength(url) > MAX_CLICK_URL_BYTES || isTokenPath(new URL(url).pathname)) return null;
  return url;
}
