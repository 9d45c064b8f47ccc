import { html, type Html } from './html';
import { guideAddress } from './guides/render-guides';
import type { Guide, GuideGroup } from './guides/guide';
import { pageAddress, type ReferenceGroup, type ReferencePage } from './outline';
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
  guides: readonly GuideGroup[];
  /** The reference in the menu. */
  groups: readonly ReferenceGroup[];
  /** The guide that the page shows. */
  guide?: Guide;
  /** The slug of the group that the page shows, or the id of the API. */
  section?: string;
  /** The page of the reference that the page shows. */
  resource?: ReferencePage;
  /** Text of the search field. */
  query?: string;
  /** The address of the same page as Markdown. */
  markdown?: string;
  assets: { style: string; script: string };
  main: Html;
}

/** A page of the reference. */
export function renderPage(frame: PageFrame): string {
  const { title, description, assets, main, query = '', markdown } = frame;
  return `<!doctype html>
${html`<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${description}" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    ${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdown}" />`}
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

function navigation(frame: PageFrame): Html {
  const { apis, guides, groups, guide, section, resource } = frame;
  const isReference = section !== undefined;
  const customers = groups.filter(({ audience }) => audience === undefined);
  const operators = groups.filter(({ audience }) => audience === 'operators');
  return html`${
      guides.length > 0 &&
      html`<p>Guides</p>
        ${guides.map((group) =>
          menuGroup(
            group.title,
            !isReference && (guide === undefined || group.guides.includes(guide)),
            group.guides.map(
              (one) =>
                html`<li>
                  <a href="${guideAddress(one)}" ${one === guide && html`aria-current="page"`}>${one.title}</a>
                </li>`,
            ),
          ),
        )}`
    }
    <p>API reference</p>
    ${customers.map((group) => referenceGroup(group, section, resource))}
    ${
      operators.length > 0 &&
      html`<p>For operators</p>
        ${operators.map((group) => referenceGroup(group, section, resource))}`
    }
    ${
      apis.length > 1 &&
      html`<p>OpenAPI</p>
        ${menuGroup(
          'Documents',
          apis.some(({ id }) => id === section),
          apis.map(
            ({ id, title }) =>
              html`<li>
                <a href="${ROOT}/${id}" ${id === section && html`aria-current="page"`}>${title}</a>
              </li>`,
          ),
        )}`
    }`;
}

/** A part of the menu, which opens without scripts. */
function menuGroup(title: string, isOpen: boolean, items: readonly Html[]): Html {
  return html`<details ${isOpen && html`open`}>
    <summary>${title}</summary>
    <ul>
      ${items}
    </ul>
  </details>`;
}

function referenceGroup(group: ReferenceGroup, section?: string, resource?: ReferencePage): Html {
  const pages = group.pages.filter(({ operations }) => operations.length > 0);
  return menuGroup(
    group.title,
    group.slug === section,
    pages.map(
      (page) =>
        html`<li>
          <a href="${pageAddress(page)}" ${page === resource && html`aria-current="page"`}>${page.title}</a>
          ${page === resource && operationList(page)}
        </li>`,
    ),
  );
}

function operationList({ operations }: ReferencePage): Html | null {
  if (operations.length < 2) return null;
  return html`<ul>
    ${operations.map(
      ({ anchor, method, path, operation }) =>
        html`<li><a href="#${anchor}">${operation.summary ?? path} ${methodBadge(method)}</a></li>`,
    )}
  </ul>`;
}
