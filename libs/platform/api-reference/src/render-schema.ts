import { html, inline, paragraphs, type Html } from './html';
import type { ApiView, Parameter, SchemaOrReference } from './api-view';
import { limitsOf, shapeOf, typeText, type Shape } from './schema-shape';

interface Field {
  name: string;
  schema: SchemaOrReference;
  required: boolean;
  description?: string;
}

/** In a request, required fields are marked; in a response, optional ones. */
export type Side = 'request' | 'response';

interface Place {
  side: Side;
  /** The names of the enclosing schemas, which are not expanded again inside themselves. */
  within: readonly string[];
}

/** Small objects at the top levels are expanded, such as the envelope of a response. */
const OPEN_FIELDS = 12;
const OPEN_DEPTH = 2;

/** The parameters of one location: path, query or header. */
export function renderParameters(api: ApiView, parameters: Parameter[]): Html {
  const fields = parameters.map(({ name, schema, required = false, description }) => ({
    name,
    schema: schema ?? { type: 'string' },
    required,
    ...(description === undefined ? {} : { description }),
  }));
  return renderFields(api, fields, { side: 'request', within: [] });
}

/** The fields of an object, or of the items of an array; a line with the type for any other value. */
export function renderSchema(api: ApiView, schema: SchemaOrReference, side: Side): Html {
  const shape = shapeOf(api, schema);
  const inner = nested(api, schema, { side, within: [] });
  const isObject = shape.properties.length > 0;
  return html`${!isObject && html`<p class="type">${typeText(api, schema)}</p>`}${inner}`;
}

function renderFields(api: ApiView, fields: Field[], place: Place): Html {
  return html`<ul class="fields">
    ${fields.map((field) => renderField(api, field, place))}
  </ul>`;
}

function renderField(api: ApiView, { name, schema, required, description }: Field, place: Place): Html {
  const shape = shapeOf(api, schema);
  const text = description ?? shape.schema.description;
  const { deprecated } = shape.schema;
  return html`<li>
    <div class="field">
      <code class="name">${name}</code> <span class="type">${typeText(api, schema)}</span>
      ${required && place.side === 'request' && html`<span class="required">required</span>`}
      ${!required && place.side === 'response' && html`<span class="note">optional</span>`}
      ${shape.nullable && html`<span class="note">nullable</span>`}
      ${deprecated && html`<span class="note">deprecated</span>`}
    </div>
    ${paragraphs(text)} ${facts(shape)} ${inside(api, schema, place)}
  </li>`;
}

/** Limits, allowed values and the default. */
function facts(shape: Shape): Html | null {
  const { enum: allowed, default: fallback } = shape.schema;
  const facts: Html[] = limitsOf(shape).map((limit) => html`<span>${inline(limit)}</span>`);
  if (allowed) {
    const values = allowed.map((value) => html`<code>${JSON.stringify(value)}</code> `);
    facts.push(
      allowed.length > 12
        ? html`<details>
            <summary>${allowed.length} values</summary>
            ${values}
          </details>`
        : html`<span>${allowed.length === 1 ? 'Always' : 'One of'} ${values}</span>`,
    );
  }
  if (fallback !== undefined) facts.push(html`<span>Default <code>${JSON.stringify(fallback)}</code></span>`);
  return facts.length > 0 ? html`<div class="facts">${facts}</div>` : null;
}

/** The collapsible fields of an object value. */
function inside(api: ApiView, schema: SchemaOrReference, place: Place): Html | null {
  const inner = nested(api, schema, place);
  if (!inner) return null;
  const { properties } = shapeOf(api, schema);
  const isOpen = place.within.length <= OPEN_DEPTH && properties.length > 0 && properties.length <= OPEN_FIELDS;
  return html`<details${isOpen && html` open`}>
    <summary>Fields</summary>
    ${inner}
  </details>`;
}

function nested(api: ApiView, schema: SchemaOrReference, place: Place): Html | null {
  const { name, items, values, alternatives, properties, required } = shapeOf(api, schema);
  if (name !== undefined && place.within.includes(name)) return null;
  const path = { ...place, within: [...place.within, name ?? ''] };
  if (alternatives.length > 0) {
    const variants = alternatives.map((alternative) => ({ alternative, inner: nested(api, alternative, path) }));
    if (variants.every(({ inner }) => inner === null)) return null;
    return html`<p class="note">One of:</p>
      ${variants.map(
        ({ alternative, inner }) =>
          html`<details>
            <summary>${shapeOf(api, alternative).schema.title ?? typeText(api, alternative)}</summary>
            ${inner}
          </details>`,
      )}`;
  }
  if (properties.length > 0) {
    const fields = properties.map(([field, of]) => ({ name: field, schema: of, required: required.includes(field) }));
    return renderFields(api, fields, path);
  }
  const inner = items ?? values;
  return inner ? nested(api, inner, place) : null;
}
