import { html, inline, paragraphs, type Html } from './html';
import { isReference, type ApiView, type Body, type OperationView, type Response } from './api-view';
import { curlSample, parametersOf } from './curl-sample';
import { exampleOf } from './example-of';
import type { Highlight } from './guides/highlight';
import { codeBlock } from './guides/samples';
import { renderParameters, renderSchema } from './render-schema';

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/** An operation with its parameters, body, responses and samples. */
export function renderOperation(api: ApiView, view: OperationView, baseUrl: string, highlight: Highlight): Html {
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
    renderErrors(responses.filter(([status]) => Number(status) >= 400)),
  ];
  return html`<article class="operation" id="${anchor}">
    <div class="text">
      <h2><a href="#${anchor}">${summary}</a></h2>
      <p class="call">${methodBadge(method)} <code>${path}</code></p>
      ${deprecated && html`<p class="note">Deprecated</p>`} ${paragraphs(description)}
      <p class="access">${accessText(view)}</p>
      ${sections}
    </div>
    <div class="samples">
      <h3>Request</h3>
      ${codeBlock({ language: 'sh', code: curlSample(api, view, baseUrl) }, highlight)}
      ${responseSample(api, responses, highlight)}
    </div>
  </article>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function responsesOf({ operation }: OperationView): [string, Response][] {
  return Object.entries(operation.responses).flatMap(([status, response]): [string, Response][] =>
    !response || isReference(response) ? [] : [[status, response]],
  );
}

function accessText({ operation: { security = [] } }: OperationView): Html {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.length === 0) return html`No authentication`;
  return html`Authentication: ${names.map((name, at) => html`${at > 0 && ' or '}<code>${name}</code>`)}`;
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

function renderErrors(errors: [string, Response][]): Html | null {
  if (errors.length === 0) return null;
  return html`<details class="errors">
    <summary>Errors</summary>
    <dl>
      ${errors.map(
        ([status, { description }]) =>
          html`<dt><code>${status}</code></dt>
            <dd>${inline(description)}</dd>`,
      )}
    </dl>
  </details>`;
}

function responseSample(api: ApiView, responses: [string, Response][], highlight: Highlight): Html | null {
  for (const [status, { content }] of responses) {
    const json = content?.['application/json'];
    if (Number(status) >= 400 || !json?.schema) continue;
    const example = json.example ?? exampleOf(api, json.schema);
    return html`<h3>Response <code>${status}</code></h3>
      ${codeBlock({ language: 'json', code: JSON.stringify(example, null, 2) }, highlight)}`;
  }
  return null;
}
