import type { Type } from '@nestjs/common';
import { dtoFieldsOf, nestedTypeOf } from '../http/dto-fields';

/** The metadata key of the names with `@ApiProperty()`, which @nestjs/swagger does not export. */
const API_PROPERTIES = 'swagger/apiModelPropertiesArray';
const ALIASES = 'heliograph:aliases';

/** The names of the fields of an object of the API. */
export interface FieldNames {
  /** The fields of the object in a field; null for a field that is not an object, or an object with any names. */
  fields: ReadonlyMap<string, FieldNames | null>;
  /** Further names under which a field can be sent, with the name of the field. */
  aliases: ReadonlyMap<string, string>;
}

const namesByType = new Map<object, FieldNames>();

/** Declares further names of a field, in order of precedence. The `normalize…()` function of a format resolves them. */
export const Aliases =
  (...aliases: string[]): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(ALIASES, { ...aliasesOf(target), [property]: aliases }, target);

/**
 * The names of the fields of a DTO: those with a rule or in the OpenAPI document. An object in a field with `@Type()` has the
 * fields of that class; any other object has any fields.
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
    const validated = dtoFieldsOf(type).map(({ name }) => name);
    for (const name of [...validated, ...describedFields(prototype)]) {
      const nested = nestedTypeOf(type, name);
      fields.set(name, nested && fieldNamesOf(nested));
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

/** The document stores the names with a colon in front of each. */
function describedFields(prototype: object): string[] {
  return ((Reflect.getMetadata(API_PROPERTIES, prototype) ?? []) as string[]).map((name) => name.slice(1));
}
