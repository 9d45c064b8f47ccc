/** Replaces a literal bracket while markup is parsed. `cleanText` removes this character from the input first. */
export const PLAIN_BRACKET = '\ufdd0';

const TAG_START = /<(\/?)([^\s<>/=]*)/y;
const AUTOLINK = /<((?:https?:\/\/|mailto:|tel:)[^\s<>"]{1,2000})>/gi;
const ATTRIBUTES = /^(?:\s+[a-z][a-z0-9-]*|\s*\/)*\s*$/i;
/** HTML element names. Any other name counts as markup only with attributes, or with a hyphen as in custom elements. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt em embed
  fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe
  image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem meta meter
  multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture plaintext portal pre
  progress q rb rbc rp rt rtc ruby s samp script search section select selectedcontent shadow slot small source spacer span
  strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
  wbr xmp`.split(/\s+/),
);

/** Marks every `<` that starts no tag: comparisons, placeholders such as `<name>`, URLs in angle brackets. */
export function protectPlainBrackets(text: string): string {
  const unwrapped = text.replace(AUTOLINK, '$1');
  let marked = '';
  let from = 0;
  for (let at = unwrapped.indexOf('<'); at >= 0; at = unwrapped.indexOf('<', at + 1)) {
    if (beginsTag(unwrapped, at)) continue;
    marked += unwrapped.slice(from, at) + PLAIN_BRACKET;
    from = at + 1;
  }
  return marked + unwrapped.slice(from);
}

function beginsTag(text: string, at: number): boolean {
  const next = text[at + 1];
  // Comments, doctypes and processing instructions.
  if (next === '!' || next === '?') return true;
  TAG_START.lastIndex = at;
  const [start = '', , name = ''] = TAG_START.exec(text) ?? [];
  if (!/^[a-z]/i.test(name)) return false;
  const afterName = at + start.length;
  const close = text.indexOf('>', afterName);
  const open = text.indexOf('<', afterName);
  // An unclosed tag extends to the next tag or to the end of the text.
  const end = Math.min(close < 0 ? text.length : close, open < 0 ? text.length : open);
  const rest = text.slice(afterName, end);
  const carries = rest.includes('=');
  if (!ELEMENTS.has(name.toLowerCase())) return carries || /[-:]/.test(name.replace(/@.*/s, ''));
  return carries || ATTRIBUTES.test(rest);
}
