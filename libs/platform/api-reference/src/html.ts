import escapeHtml from 'escape-html';

/** Markup that needs no escaping. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

export type HtmlContent = string | number | Html | false | null | undefined | readonly HtmlContent[];

/** Template literal whose values are escaped unless they are Html; arrays are joined, missing values are empty. */
export function html(strings: TemplateStringsArray, ...values: HtmlContent[]): Html {
  return new Html(strings.map((text, at) => (at === 0 ? text : `${markupOf(values[at - 1])}${text}`)).join(''));
}

function markupOf(value: HtmlContent): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escapeHtml(String(value));
}

/** Plain text as paragraphs; text between backticks is code. */
export function paragraphs(text: string | undefined): Html[] {
  return (text ?? '')
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${inline(part)}</p>`);
}

/** Text whose parts between backticks are code. */
export function inline(text: string): Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
