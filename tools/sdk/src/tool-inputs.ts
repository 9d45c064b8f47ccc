import type { SchemaOrReference } from '@heliograph/api-reference';
import type { Schemas, SdkModel } from './sdk-model';

type JsonSchema = Record<string, unknown>;

/** The JSON Schema of the input of every call, for the tools of language models. */
export function toolInputs({ calls, schemas }: SdkModel): string {
  const entries = calls.flatMap(({ name, input }): [string, JsonSchema][] => {
    const schema = input === undefined ? undefined : schemas[input];
    return schema ? [[name, merged(jsonSchemaOf(schema, schemas, []))]] : [];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`;
}

/** Without references: clients of the protocol do not resolve them. A schema within itself is any value. */
function jsonSchemaOf(schema: SchemaOrReference, schemas: Schemas, parents: readonly string[]): JsonSchema {
  if ('$ref' in schema) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const target = schemas[name];
    return !target || parents.includes(name) ? {} : jsonSchemaOf(target, schemas, [...parents, name]);
  }
  const { nullable, type, example: _example, enum: values, ...others } = schema;
  const converted = Object.fromEntries(
    Object.entries(others)
      .filter(([keyword]) => !keyword.startsWith('x-'))
      .map(([keyword, value]) => [keyword, convert(keyword, value, schemas, parents)]),
  );
  return {
    ...converted,
    ...(type === undefined ? {} : { type: nullable ? [type, 'null'].flat() : type }),
    ...(values === undefined ? {} : { enum: nullable && !values.includes(null) ? [...values, null] : values }),
  };
}

function convert(keyword: string, value: unknown, schemas: Schemas, parents: readonly string[]): unknown {
  const inner = (one: unknown): JsonSchema => jsonSchemaOf(one as SchemaOrReference, schemas, parents);
  if (keyword === 'properties') {
    return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, inner(one)]));
  }
  if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) return (value as unknown[]).map(inner);
  return (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object'
    ? inner(value)
    : value;
}

/** `allOf` at the top as one object, because arguments are one object. */
function merged(schema: JsonSchema): JsonSchema {
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf)) return schema;
  return (allOf as JsonSchema[]).map(merged).reduce<JsonSchema>(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...(all['properties'] as object), ...(part['properties'] as object) },
      required: [
        ...((all['required'] as string[] | undefined) ?? []),
        ...((part['required'] as string[] | undefined) ?? []),
      ],
    }),
    others,
  );
}
