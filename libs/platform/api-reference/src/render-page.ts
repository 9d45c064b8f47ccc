import { html, type Html } from './html';
import type { Section } from './api-view';
import { guideAddress } from './guides/render-guides';
import type { Guide, GuideGroup } from './guides/guide';
import { methodBadge } from './render-operation';
import { ROOT } from './root';

export interface ApiLink {
  id: string;
  title: string;
  description: string;
}

export interface PageFrame {
  title: string;
  description: string;
  apis: readonly ApiLink[];
  /** The guides of the menu. */
  groups: readonly GuideGroup[];
  /** The guide that the page shows. */
  guide?: Guide;
  /** The API that the page shows, with its sections. */
  current?: { id: string; sections: readonly Section[]; section?: string };
  /** Text of the search field. */
  query?: string;
  assets: { style: string; script: string };
  main: Html;
}

/** A page of the reference. */
export function renderPage(frame: PageFrame): string {
  const { title, description, assets, main, query = '' } = frame;
  return `<!doctype html>
${html`<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${description}" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${ROOT}/assets/${assets.style}" />
    <script defer src="${ROOT}/assets/${assets.script}"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header>
      <button type="button" class="menu" popovertarget="menu" aria-label="Menu">
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7h16M4 12h16M4 17h16" /></svg>
      </button>
      <a class="home" href="${ROOT}">Heliograph <span>Docs</span></a>
      <form action="${ROOT}/search" role="search">
        <input
          type="search"
          name="q"
          value="${query}"
          placeholder="Search"
          aria-label="Search the documentation"
          autocomplete="off"
          spellcheck="false"
          maxlength="200"
        />
        <kbd aria-hidden="true">/</kbd>
        <div class="found" hidden></div>
      </form>
    </header>
    <div class="columns">
      <nav id="menu" popover aria-label="Documentation">${navigation(frame)}</nav>
      <main id="main" tabindex="-1">${main}</main>
    </div>
  </body>
</html>`}
`;
}

function navigation({ apis, groups, guide, current }: PageFrame): Html {
  return html`${groups.map(
      ({ title, guides }) =>
        html`<p>${title}</p>
          <ul>
            ${guides.map(
              (one) =>
                html`<li>
                  <a href="${guideAddress(one)}" ${one === guide && html`aria-current="page"`}>${one.title}</a>
                </li>`,
            )}
          </ul>`,
    )}
    ${groups.length > 0 && html`<p>API reference</p>`}
    <ul class="apis">
      ${apis.map(
        ({ id, title }) =>
          html`<li>
            <a href="${ROOT}/${id}" ${current?.id === id && !current.section && html`aria-current="page"`}>${title}</a>
            ${current?.id === id && sectionList(current)}
          </li>`,
      )}
    </ul>`;
}

function sectionList({ id, sections, section: shown }: NonNullable<PageFrame['current']>): Html {
  return html`<ul>
    ${sections.map(
      ({ slug, title, operations }) =>
        html`<li>
          <a href="${ROOT}/${id}/${slug}" ${slug === shown && html`aria-current="page"`}>${title}</a>
          ${
            slug === shown &&
            html`<ul>
              ${operations.map(
                ({ anchor, method, path, operation }) =>
                  html`<li><a href="#${anchor}">${operation.summary ?? path} ${methodBadge(method)}</a></li>`,
              )}
            </ul>`
          }
        </li>`,
    )}
  </ul>`;
}
