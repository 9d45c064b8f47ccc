import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The metadata key of `@ApiProperty()`, which @nestjs/swagger does not export. */
const API_PROPERTY = 'swagger/apiModelProperties';
const API_PROPERTIES = 'swagger/apiModelPropertiesArray';
const ALIASES = 'heliograph:aliases';

/** The names of the fields of an object of the API. */
export interface FieldNames {
  /** The fields of the object in a field; null for a field that is not an object, or an object with any names. */
  fields: ReadonlyMap<string, FieldNames | null>;
  /** Further names under which a field can be sent, with the name of the field. */
  aliases: ReadonlyMap<string, string>;
}

interface Schema {
  type?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: unknown;
  items?: Schema;
}

const namesByType = new Map<object, FieldNames>();

/** Declares further names of a field, in order of precedence. The `normalize…()` function of a format resolves them. */
export const Aliases =
  (...aliases: string[]): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(ALIASES, { ...aliasesOf(target), [property]: aliases }, target);

/**
 * The names of the fields of a DTO: those with a rule or in the OpenAPI document. An object that the document describes, in a
 * class or with `properties`, has the described fields; any other object has any fields.
 */
export function fieldNamesOf(type: Type<object>): FieldNames {
  let names = namesByType.get(type);
  if (!names) {
    const prototype = type.prototype as object;
    const fields = new Map<string, FieldNames | null>();
    const aliases = new Map<string, string>();
    names = { fields, aliases };
    // Stored before it is complete, because a class may contain itself.
    namesByType.set(type, names);
    for (const name of [...validatedFields(type), ...describedFields(prototype)]) {
      fields.set(name, nestedNames(Reflect.getMetadata(API_PROPERTY, prototype, name) as Schema | undefined));
    }
    for (const [field, others] of Object.entries(aliasesOf(prototype))) {
      for (const alias of others) aliases.set(alias, field);
    }
  }
  return names;
}

/** The name of a field, followed by its aliases, for each field of a DTO. */
export function namesByField<T extends object>(type: Type<T>): Readonly<Record<keyof T & string, readonly string[]>> {
  const aliases = aliasesOf(type.prototype as object);
  const names = [...fieldNamesOf(type).fields.keys()].map((field) => [field, [field, ...(aliases[field] ?? [])]]);
  return Object.fromEntries(names) as Record<keyof T & string, readonly string[]>;
}

function aliasesOf(prototype: object): Readonly<Record<string, readonly string[]>> {
  return (Reflect.getMetadata(ALIASES, prototype) ?? {}) as Record<string, string[]>;
}

function validatedFields(type: Type<object>): string[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
}

/** The document stores the names with a colon in front of each. */
function describedFields(prototype: object): string[] {
  return ((Reflect.getMetadata(API_PROPERTIES, prototype) ?? []) as string[]).map((name) => name.slice(1));
}

function nestedNames(schema: Schema | undefined): FieldNames | null {
  if (!schema) return null;
  const { type, properties, additionalProperties, items } = schema;
  if (items) return nestedNames(items);
  if (properties) {
    if (additionalProperties) return null;
    const fields = Object.entries(properties).map(([name, inner]) => [name, nestedNames(inner)] as const);
    return { fields: new Map(fields), aliases: new Map() };
  }
  const nested = classOf(type);
  return nested && describedFields(nested.prototype as object).length > 0 ? fieldNamesOf(nested) : null;
}

/** The class in the `type` of a description: a class, a list with one, or a function that returns one of these. */
function classOf(type: unknown): Type<object> | null {
  if (Array.isArray(type)) return classOf(type[0]);
  if (typeof type !== 'function') return null;
  // Arrow functions have no prototype.
  return type.prototype === undefined ? classOf((type as () => unknown)()) : (type as Type<object>);
}
