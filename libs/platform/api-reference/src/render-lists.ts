import { html, inline, paragraphs, type Html } from './html';
import { isReference, type ApiView, type OperationView, type SchemaOrReference } from './api-view';
import { methodBadge, responsesOf } from './render-operation';
import type { GuideGroup } from './guides/guide';
import { renderGuideCards } from './guides/render-guides';
import type { ApiLink } from './render-page';
import { renderSchema } from './render-schema';
import { ROOT } from './root';
import type { Found } from './search';

/** All guides and APIs. */
export function renderOverview(apis: readonly ApiLink[], groups: readonly GuideGroup[]): Html {
  return html`<h1>Documentation</h1>
    ${renderGuideCards(groups)}
    <h2>API reference</h2>
    <ul class="cards">
      ${apis.map(
        ({ id, title, description }) =>
          html`<li>
            <a href="${ROOT}/${id}">${title}</a>
            <p>${description}</p>
          </li>`,
      )}
    </ul>`;
}

/** One API: authentication, errors and the list of its operations. */
export function renderApi(api: ApiView, id: string): Html {
  const { info, servers = [] } = api.document;
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
    ${api.sections.map(
      ({ slug, title, operations }) =>
        html`<h2><a href="${ROOT}/${id}/${slug}">${title}</a></h2>
          <ul class="operations">
            ${operations.map(
              (one) =>
                html`<li>${operationLink(`${ROOT}/${id}/${slug}#${one.anchor}`, one, one.operation.summary)}</li>`,
            )}
          </ul>`,
    )}
    ${errorFormats(api)}`;
}

export function renderSearch(query: string, found: readonly Found[]): Html {
  return html`<h1>Search</h1>
    <p role="status">
      ${query === '' ? 'Enter words of a guide, a path or a summary.' : `${found.length || 'No'} results for “${query}”`}
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

function operationLink(
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
  for (const view of api.sections.flatMap(({ operations }) => operations)) {
    for (const [status, { content }] of responsesOf(view)) {
      const schema = content?.['application/json']?.schema;
      if (Number(status) >= 400 && schema) formats.set(JSON.stringify(schema), schema);
    }
  }
  if (formats.size === 0) return null;
  return html`<h2 id="errors">Errors</h2>
    ${[...formats.values()].map((schema) => renderSchema(api, schema, 'response'))}`;
}
