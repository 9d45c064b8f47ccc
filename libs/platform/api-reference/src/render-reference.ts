import { html, paragraphs, type Html } from './html';
import { pageAddress, type PageOperation, type ReferenceGroup, type ReferencePage } from './outline';
import { renderOperation, type RenderContext } from './render-operation';
import { operationLink } from './render-lists';
import { ROOT } from './root';

/** The page of a resource. `unavailable`: titles of APIs whose operations are missing. */
export function renderResource(page: ReferencePage, context: RenderContext, unavailable: readonly string[]): Html {
  const { title, description, operations } = page;
  return html`<p class="trail"><a href="${ROOT}/${page.group.slug}">${page.group.title}</a></p>
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${
      unavailable.length > 0 &&
      html`<p class="note" role="status">
        Not available at the moment: ${unavailable.join(', ')}. Load the page again in a minute.
      </p>`
    }
    ${operations.length > 1 && operationList('', operations)}
    <p class="source"><a href="${pageAddress(page)}.md">View as Markdown</a></p>
    ${operations.map((operation) => renderOperation(operation.api.view, operation, context))}`;
}

/** All pages of a group, with their operations. */
export function renderGroup({ title, description, pages }: ReferenceGroup): Html {
  return html`<h1>${title}</h1>
    ${paragraphs(description)}
    ${pages
      .filter(({ operations }) => operations.length > 0)
      .map(
        (page) =>
          html`<h2><a href="${pageAddress(page)}">${page.title}</a></h2>
            <p>${page.description}</p>
            ${operationList(pageAddress(page), page.operations)}`,
      )}`;
}

function operationList(address: string, operations: readonly PageOperation[]): Html {
  return html`<ul class="operations">
    ${operations.map((one) => html`<li>${operationLink(`${address}#${one.anchor}`, one, one.operation.summary)}</li>`)}
  </ul>`;
}
