import type { ApiView, SchemaOrReference } from './api-view';
import { FIELD_EXAMPLES, MAP_EXAMPLES } from './field-examples';
import { shapeOf, type Shape } from './schema-shape';

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  uuid: '01941f29-7c00-7000-8000-000000000001',
  email: 'ann@elsewhere.example',
  uri: 'https://example.com',
  binary: '@file',
};
const MAX_DEPTH = 6;
/** Fields that are null in most responses. */
const UNUSUAL = /^(?:last_?)?error$|reason$|^(?:revoked|failed|locked|ended)_?at$|truncated/i;

export interface ExampleOptions {
  /** Omits optional fields without an example, as callers usually do. */
  sparse?: boolean;
}

/**
 * An example value of a schema: its own example, or else one composed from the examples of its parts.
 *
 * @param name of the field with this schema, for fields without an example
 */
export function exampleOf(
  api: ApiView,
  given: SchemaOrReference,
  options: ExampleOptions = {},
  name = '',
  depth = 0,
): unknown {
  const shape = shapeOf(api, given);
  const { schema, alternatives, items, values, properties } = shape;
  if (schema.example !== undefined) return schema.example;
  // What usually has not happened: a complete response shows a call that succeeded.
  if (shape.nullable && !options.sparse && UNUSUAL.test(name)) return null;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  const [alternative] = alternatives;
  if (alternative) return exampleOf(api, alternative, options, name, depth + 1);
  if (items) return [exampleOf(api, items, options, name, depth + 1)];
  if (properties.length > 0) return exampleOfObject(api, shape, options, depth);
  if (values) return MAP_EXAMPLES.get(name) ?? {};
  return exampleOfScalar(shape, name);
}

function exampleOfObject(api: ApiView, shape: Shape, options: ExampleOptions, depth: number): object {
  const fields = options.sparse
    ? shape.properties.filter(([name, field]) => shape.required.includes(name) || hasExample(api, field))
    : shape.properties;
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(api, field, options, name, depth + 1)]));
}

function hasExample(api: ApiView, field: SchemaOrReference): boolean {
  const { schema, items } = shapeOf(api, field);
  return schema.example !== undefined || (items !== undefined && hasExample(api, items));
}

function exampleOfScalar({ schema: { type, format, minimum }, nullable }: Shape, name: string): unknown {
  switch (type) {
    case 'string':
      return BY_FORMAT[format ?? ''] ?? FIELD_EXAMPLES.get(name) ?? (nullable ? null : 'string');
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return name !== 'flash';
    default:
      return {};
  }
}
