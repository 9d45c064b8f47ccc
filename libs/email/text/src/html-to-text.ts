import { compile, type FormatCallback } from 'html-to-text';

/** Limit of the input and of the output, in UTF-16 code units. */
const MAX_LENGTH = 512 * 1024;
/** The time of the parser grows with the square of the nesting depth, so the rest after this many `<` is ignored. */
const MAX_TAGS = 4_000;
const MAX_DEPTH = 40;

const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all)\b/i;
const WITHOUT_TEXT = ['head', 'script', 'style', 'template', 'title'];

/** Removes elements that mail clients hide, such as a preheader. */
const unlessHidden: FormatCallback = (element, walk, builder, options) => {
  const attributes = (element.attribs ?? {}) as Record<string, string>;
  if ('hidden' in attributes || HIDDEN.test((attributes.style ?? '').slice(0, 1_000))) return;
  const isBlock = element.name !== 'span';
  if (isBlock) builder.openBlock({ leadingLineBreaks: options.leadingLineBreaks ?? 1 });
  walk(element.children, builder);
  if (isBlock) builder.closeBlock({ trailingLineBreaks: options.trailingLineBreaks ?? 1 });
};

const alternativeText: FormatCallback = (element, _walk, builder) => {
  builder.addInline(((element.attribs ?? {}) as Record<string, string>).alt ?? '');
};

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_LENGTH, maxDepth: MAX_DEPTH, ellipsis: '' },
  formatters: { alternativeText, unlessHidden },
  selectors: [
    ...['div', 'span', 'td'].map((selector) => ({ selector, format: 'unlessHidden' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...WITHOUT_TEXT.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'], noAnchorUrl: true } },
    { selector: 'img', format: 'alternativeText' },
  ],
});

/**
 * Creates the text part of a mail that has only html: links become `label (address)`, images become their alternative
 * text, and hidden elements are removed. Html beyond 512 Ki characters or 4,000 tags is ignored.
 */
export function htmlToText(html: string): string {
  return convert(beginningOf(html)).slice(0, MAX_LENGTH).toWellFormed().trim();
}

function beginningOf(html: string): string {
  const bounded = html.slice(0, MAX_LENGTH);
  let position = -1;
  for (let tags = 0; tags <= MAX_TAGS; tags++) {
    position = bounded.indexOf('<', position + 1);
    if (position === -1) return bounded;
  }
  return bounded.slice(0, position);
}
