import type { ApiView, Schema, SchemaOrReference } from './api-view';

/** A schema with references and compositions resolved, for display. */
export interface Shape {
  schema: Schema;
  /** Name of the component, if it is one. */
  name?: string;
  nullable: boolean;
  /** Alternatives, one of which the value matches. */
  alternatives: SchemaOrReference[];
  properties: [string, SchemaOrReference][];
  required: string[];
  items?: SchemaOrReference;
  /** Schema of the values of a map. */
  values?: SchemaOrReference;
}

/** Resolves references, merges `allOf`, and converts an alternative that allows only null to `nullable`. */
export function shapeOf(api: ApiView, given: SchemaOrReference): Shape {
  const { schema, name } = api.resolve(given);
  const [value, ...others] = (schema.anyOf ?? []).filter((alternative) => !isNull(alternative));
  if (value && others.length === 0) {
    const shape = shapeOf(api, value);
    const { description = shape.schema.description } = schema;
    return { ...shape, schema: { ...shape.schema, ...(description ? { description } : {}) }, nullable: true };
  }
  const parts = (schema.allOf ?? []).map((part) => shapeOf(api, part));
  const merged: Schema = Object.assign({}, ...parts.map((part) => part.schema), schema);
  const { items, additionalProperties } = merged;
  const alternatives = merged.oneOf ?? merged.anyOf ?? [];
  return {
    schema: merged,
    name: name ?? (parts.length === 1 ? parts[0]?.name : undefined),
    nullable: merged.nullable === true,
    alternatives: [...alternatives],
    properties: [...parts.flatMap((part) => part.properties), ...Object.entries(schema.properties ?? {})],
    required: [...parts.flatMap((part) => part.required), ...(schema.required ?? [])],
    ...(items && !Array.isArray(items) ? { items } : {}),
    ...(typeof additionalProperties === 'object' ? { values: additionalProperties } : {}),
  };
}

function isNull(schema: SchemaOrReference): boolean {
  return 'enum' in schema && schema.enum?.length === 1 && schema.enum[0] === null;
}

/** The type in words: `string (uuid)`, `array of Contact`. */
export function typeText(api: ApiView, given: SchemaOrReference): string {
  const { schema, alternatives, items, values, properties, name } = shapeOf(api, given);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((alternative) => typeText(api, alternative)))].join(' or ');
  if (items) return `array of ${typeText(api, items)}`;
  if (values && properties.length === 0) return `map of ${typeText(api, values)}`;
  if (properties.length > 0) return name ?? 'object';
  const { type, format } = schema;
  const text = Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
  return format ? `${text} (${format})` : text;
}

/** The limits of a value in words: `1 to 255 characters`. */
export function limitsOf({ schema }: Shape): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  const limits = [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum),
    range(minItems, maxItems, ' items'),
  ];
  if (pattern !== undefined) limits.push(`matches \`${pattern}\``);
  return limits.filter((limit) => limit !== '');
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min !== undefined && max !== undefined) return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min !== undefined && min !== 0 ? `at least ${min}${unit}` : '';
}
