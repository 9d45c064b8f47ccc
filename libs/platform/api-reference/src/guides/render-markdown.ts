import type { Tokens } from 'marked';
import { slugOf } from '../api-view';
import { html, Html } from '../html';
import { loadHighlight, type Highlight } from './highlight';
import { isAlternative, renderSamples, type Sample } from './samples';

export interface Heading {
  /** The fragment of its address. */
  anchor: string;
  title: string;
}

export interface RenderedMarkdown {
  body: Html;
  /** The headings of the second level. */
  headings: Heading[];
}

export interface MarkdownOptions {
  /** Returns the address of a link, such as `errors.md#fields`. */
  linkOf: (href: string) => string;
  /** Replaces texts in code, such as the address of the local stack. */
  adaptCode: (code: string) => string;
}

/**
 * Renders Markdown. Consecutive blocks of code in several languages are one block with a choice. Raw HTML is displayed as text.
 */
export async function renderMarkdown(markdown: string, options: MarkdownOptions): Promise<RenderedMarkdown> {
  const [{ Marked }, highlight] = await Promise.all([import('marked'), loadHighlight()]);
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = slugOf(text);
        if (depth === 2) headings.push({ anchor, title: text.replaceAll('`', '') });
        const title = new Html(this.parser.parseInline(tokens));
        return html`<h${depth} id="${anchor}"><a href="#${anchor}">${title}</a></h${depth}>`.toString();
      },
      link({ href, tokens }) {
        return html`<a href="${options.linkOf(href)}">${new Html(this.parser.parseInline(tokens))}</a>`.toString();
      },
      html({ text }) {
        return html`${text}`.toString();
      },
      table(token) {
        return renderTable(token, (cell) => new Html(this.parser.parseInline(cell.tokens))).toString();
      },
    },
  });
  const parts: Html[] = [];
  let rest: (Tokens.Generic | Tokens.Code)[] = [];
  const tokens = marked.lexer(markdown);
  const flush = (): void => {
    parts.push(new Html(marked.parser(rest)));
    rest = [];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type !== 'code') {
      if (token) rest.push(token);
      continue;
    }
    flush();
    const samples = samplesAt(tokens, at);
    parts.push(renderBlock(samples, highlight, options, `sample-${at}`));
    // Blocks and the blank lines between them.
    at += samples.tokens - 1;
  }
  flush();
  return { body: html`${parts}`, headings };
}

/** The code at a position, with the alternatives that follow it. */
function samplesAt(tokens: readonly { type: string }[], first: number): { list: Sample[]; tokens: number } {
  const list: Sample[] = [];
  let end = first;
  for (let at = first; at < tokens.length; at++) {
    const token = tokens[at] as Tokens.Generic | Tokens.Code;
    if (token.type === 'space') continue;
    if (token.type !== 'code') break;
    const { lang = '', text } = token as Tokens.Code;
    const isKnown = list.some(({ language }) => language === lang);
    if (list.length > 0 && (isKnown || !isAlternative(lang) || !isAlternative(list[0]?.language ?? ''))) break;
    list.push({ language: lang, code: text });
    end = at + 1;
  }
  return { list, tokens: end - first };
}

function renderBlock({ list }: { list: Sample[] }, highlight: Highlight, options: MarkdownOptions, id: string): Html {
  const adapted = list.map(({ language, code }) => ({ language, code: options.adaptCode(code) }));
  return renderSamples(adapted, highlight, id);
}

/** A table that scrolls on a narrow screen. Its name consists of its headings. */
function renderTable({ header, rows }: Tokens.Table, cellOf: (cell: Tokens.TableCell) => Html): Html {
  const name = header
    .map(({ text }) => text.replaceAll('`', ''))
    .filter((text) => text !== '')
    .join(', ');
  return html`<div class="table" tabindex="0" role="region" aria-label="Table: ${name}">
    <table>
      <thead>
        <tr>
          ${header.map((cell) => (cell.text === '' ? html`<td></td>` : html`<th scope="col">${cellOf(cell)}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cellOf(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
