import { html, inline, paragraphs, type Html } from './html';
import { isReference, type ApiView, type Body, type OperationView, type Response } from './api-view';
import { parametersOf } from './curl-sample';
import type { Highlight } from './guides/highlight';
import { codeBlock, renderSamples } from './guides/samples';
import { codesOf, errorGuide, factsOf, responsesOf } from './operation-facts';
import { renderParameters, renderSchema } from './render-schema';
import { responseExample, samplesOf } from './samples-of-operation';
import { ROOT } from './root';

export interface RenderContext {
  /** The address in the samples. */
  baseUrl: string;
  highlight: Highlight;
  /** Whether the documentation contains the guides, to which operations refer. */
  hasGuides: boolean;
}

/** The locations of parameters, with their headings. */
export const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/** An operation with its parameters, body, responses and samples. */
export function renderOperation(api: ApiView, view: OperationView, context: RenderContext): Html {
  const { anchor, method, path, operation } = view;
  const { summary = `${method} ${path}`, description, deprecated, requestBody } = operation;
  const responses = responsesOf(view);
  const sections = [
    ...PLACES.map(([place, title]) => {
      const parameters = parametersOf(operation).filter((parameter) => parameter.in === place);
      return (
        parameters.length > 0 &&
        html`<h3>${title}</h3>
          ${renderParameters(api, parameters)}`
      );
    }),
    requestBody && !isReference(requestBody) && renderBody(api, requestBody),
    ...responses.filter(([status]) => Number(status) < 400).map(([status, one]) => renderResponse(api, status, one)),
    renderErrors(
      responses.filter(([status]) => Number(status) >= 400),
      context,
    ),
  ];
  return html`<article class="operation" id="${anchor}">
    <div class="head">
      <h2><a href="#${anchor}">${summary}</a></h2>
      <p class="call">${methodBadge(method)} <code>${path}</code></p>
      ${deprecated && html`<p class="note">Deprecated</p>`} ${paragraphs(description)} ${renderFacts(view, context)}
    </div>
    <div class="samples">
      <h3>Request</h3>
      ${renderSamples(samplesOf(api, view, context.baseUrl), context.highlight, `sample-${anchor}`)}
      ${renderResponseSample(api, view, context)}
    </div>
    <div class="text">${sections}</div>
  </article>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function renderFacts(view: OperationView, { hasGuides }: RenderContext): Html {
  return html`<dl class="requirements">
    ${factsOf(view).map(
      ({ name, text, guide }) =>
        html`<div>
          <dt>${hasGuides ? html`<a href="${ROOT}/guides/${guide}">${name}</a>` : name}</dt>
          <dd>${inline(text)}</dd>
        </div>`,
    )}
  </dl>`;
}

function renderBody(api: ApiView, { content, description, required }: Body): Html {
  const types = Object.keys(content);
  // Forms and JSON bodies usually have the same fields.
  const schemas = new Map(
    Object.values(content).flatMap(({ schema }) => (schema ? [[JSON.stringify(schema), schema]] : [])),
  );
  return html`<h3>Body ${required && html`<span class="required">required</span>`}</h3>
    <p class="types">${types.map((type) => html`<code>${type}</code> `)}</p>
    ${paragraphs(description)} ${[...schemas.values()].map((schema) => renderSchema(api, schema, 'request'))}`;
}

function renderResponse(api: ApiView, status: string, { description, content = {} }: Response): Html {
  return html`<h3>Response <code>${status}</code></h3>
    ${paragraphs(description)}
    ${Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' && schema
        ? renderSchema(api, schema, 'response')
        : html`<p class="types"><code>${type}</code></p>`,
    )}`;
}

function renderErrors(errors: [string, Response][], { hasGuides }: RenderContext): Html | null {
  if (errors.length === 0) return null;
  return html`<details class="errors">
    <summary>Errors</summary>
    <dl>
      ${errors.map(
        ([status, response]) =>
          html`<dt><code>${status}</code></dt>
            <dd>${hasGuides ? errorLinks(response) : inline(response.description)}</dd>`,
      )}
    </dl>
  </details>`;
}

/** The codes of an error response, with links to their explanations. */
function errorLinks(response: Response): Html[] {
  const codes = codesOf(response);
  if (codes.length === 0) return inline(response.description);
  return codes.map((code, at) => html`${at > 0 && ', '}<a href="${ROOT}/guides/${errorGuide(code)}">${code}</a>`);
}

function renderResponseSample(api: ApiView, view: OperationView, { highlight }: RenderContext): Html | null {
  const example = responseExample(api, view);
  if (!example) return null;
  return html`<h3>Response <code>${example.status}</code></h3>
    ${codeBlock({ language: 'json', code: example.json }, highlight)}`;
}
