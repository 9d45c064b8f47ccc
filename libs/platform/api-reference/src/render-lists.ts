import { html, inline, paragraphs, type Html } from './html';
import { isReference, type ApiView, type OperationView, type SchemaOrReference } from './api-view';
import type { GuideGroup } from './guides/guide';
import { renderGuideCards } from './guides/render-guides';
import { responsesOf } from './operation-facts';
import { pageAddress, type ReferenceGroup } from './outline';
import { methodBadge } from './render-operation';
import type { ApiLink } from './render-page';
import { renderSchema } from './render-schema';
import { ROOT } from './root';
import type { Found } from './search';

/** The start page: an introduction, all guides, the reference and the OpenAPI documents. */
export function renderOverview(
  introduction: Html | null,
  apis: readonly ApiLink[],
  guides: readonly GuideGroup[],
  groups: readonly ReferenceGroup[],
): Html {
  return html`<h1>Documentation</h1>
    ${introduction && html`<div class="prose">${introduction}</div>`} ${renderGuideCards(guides)}
    <h2>API reference</h2>
    ${groupCards(groups.filter(({ audience }) => audience === undefined))}
    <h2>For operators</h2>
    ${groupCards(groups.filter(({ audience }) => audience === 'operators'))}
    <h2>OpenAPI documents</h2>
    ${apiCards(apis)}`;
}

function groupCards(groups: readonly ReferenceGroup[]): Html {
  return html`<ul class="cards">
    ${groups.map(
      ({ slug, title, description }) =>
        html`<li>
          <a href="${ROOT}/${slug}">${title}</a>
          <p>${description}</p>
        </li>`,
    )}
  </ul>`;
}

function apiCards(apis: readonly ApiLink[]): Html {
  return html`<ul class="cards">
    ${apis.map(
      ({ id, title, description }) =>
        html`<li>
          <a href="${ROOT}/${id}">${title}</a>
          <p>${description}</p>
        </li>`,
    )}
  </ul>`;
}

/** One API: base addresses, authentication, errors and the list of its operations by page. */
export function renderApi(api: ApiView, id: string, groups: readonly ReferenceGroup[]): Html {
  const { info, servers = [] } = api.document;
  const pages = groups
    .flatMap((group) => group.pages)
    .map((page) => ({ page, operations: page.operations.filter((operation) => operation.api.id === id) }))
    .filter(({ operations }) => operations.length > 0);
  return html`<h1>${info.title}</h1>
    ${paragraphs(info.description)}
    <p><a href="${ROOT}/${id}/openapi.json">OpenAPI document</a> (version ${info.version})</p>
    ${
      servers.length > 1 &&
      html`<h2>Base addresses</h2>
        <dl>
          ${servers.map(
            ({ url, description }) =>
              html`<dt><code>${url}</code></dt>
                <dd>${description ?? ''}</dd>`,
          )}
        </dl>`
    }
    ${authentication(api)}
    ${pages.map(
      ({ page, operations }) =>
        html`<h2><a href="${pageAddress(page)}">${page.group.title}: ${page.title}</a></h2>
          <ul class="operations">
            ${operations.map(
              (one) =>
                html`<li>${operationLink(`${pageAddress(page)}#${one.anchor}`, one, one.operation.summary)}</li>`,
            )}
          </ul>`,
    )}
    ${errorFormats(api)}`;
}

export function renderSearch(query: string, found: readonly Found[]): Html {
  return html`<h1>Search</h1>
    <p role="status">
      ${query === '' ? 'Enter words of a guide, a path, a field or an error.' : `${found.length || 'No'} results for “${query}”`}
    </p>
    <ul class="operations">
      ${found.map(
        ({ url, method, path, summary, api }) =>
          html`<li>
            ${method === '' ? html`<a href="${url}">${summary}</a>` : operationLink(url, { method, path }, summary)}
            <span class="note">${api}</span>
          </li>`,
      )}
    </ul>`;
}

export function renderMessage(title: string, text: string): Html {
  return html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a href="${ROOT}">Documentation</a></p>`;
}

export function operationLink(
  url: string,
  { method, path }: Pick<OperationView, 'method' | 'path'>,
  summary: string | undefined,
): Html {
  return html`<a href="${url}">${methodBadge(method)} <code>${path}</code> <span>${summary ?? ''}</span></a>`;
}

function authentication(api: ApiView): Html | null {
  const schemes = Object.entries(api.document.components?.securitySchemes ?? {});
  if (schemes.length === 0) return null;
  return html`<h2>Authentication</h2>
    <dl>
      ${schemes.map(([name, scheme]) => {
        if (isReference(scheme)) return null;
        const how =
          scheme.type === 'http' ? 'Authorization: Bearer …' : `${scheme.in === 'cookie' ? 'Cookie' : scheme.name}: …`;
        return html`<dt><code>${name}</code></dt>
          <dd><code>${how}</code> ${inline(scheme.description ?? '')}</dd>`;
      })}
    </dl>`;
}

/** The error bodies; usually one body for all operations. */
function errorFormats(api: ApiView): Html | null {
  const formats = new Map<string, SchemaOrReference>();
  for (const view of api.operations) {
    for (const [status, { content }] of responsesOf(view)) {
      const schema = content?.['application/json']?.schema;
      if (Number(status) >= 400 && schema) formats.set(JSON.stringify(schema), schema);
    }
  }
  if (formats.size === 0) return null;
  return html`<h2 id="errors">Errors</h2>
    ${[...formats.values()].map((schema) => renderSchema(api, schema, 'response'))}`;
}
