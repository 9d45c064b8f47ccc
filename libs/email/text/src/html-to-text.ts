import { compile, type FormatCallback } from 'html-to-text';
import { visibleHtml } from './visible-html';

/** Limit of the input and of the output, in UTF-16 code units. */
const MAX_LENGTH = 512 * 1024;
/** The time of the parser grows with the square of the nesting depth, so the rest after this many `<` is ignored. */
const MAX_TAGS = 4_000;
const MAX_DEPTH = 40;

const WITHOUT_TEXT = ['head', 'script', 'style', 'template', 'title'];
/** Elements that start on a new line or, as cells of a row, must be separated. The library treats them as inline. */
const BLOCKS = [
  'td',
  'th',
  'caption',
  'center',
  'address',
  'dl',
  'dt',
  'dd',
  'details',
  'summary',
  'figure',
  'figcaption',
  'fieldset',
  'legend',
  'option',
  'hgroup',
  'search',
  'button',
  'menu',
  'dialog',
  'textarea',
  'select',
];

const alternativeText: FormatCallback = (element, _walk, builder) => {
  builder.addInline(((element.attribs ?? {}) as Record<string, string>).alt ?? '');
};

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_LENGTH, maxDepth: MAX_DEPTH, ellipsis: '' },
  formatters: { alternativeText },
  selectors: [
    ...BLOCKS.map((selector) => ({
      selector,
      format: 'block',
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
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
  return convert(visibleHtml(beginningOf(html)))
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .trim();
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
