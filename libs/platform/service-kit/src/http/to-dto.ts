import type { Type } from '@nestjs/common';
import { isJsonObject } from '../body/request-fields';
import { dtoFieldsOf } from './dto-fields';

const BUILT_IN = new Set<unknown>([String, Number, Boolean, Object, Array, Map, Buffer]);
const MAX_LEVELS = 32;
/** The elements of a longer list are not converted, so that no DTO accepts it. */
const MAX_ELEMENTS = 10_000;

/** The class of a parameter, if it is a DTO. */
export function dtoType(metatype: unknown): Type<object> | null {
  return typeof metatype === 'function' && !BUILT_IN.has(metatype) ? (metatype as Type<object>) : null;
}

/**
 * Creates a DTO from a request. Only fields with a validation rule in the class are copied. A missing field keeps the default value
 * of the class. Objects in fields with `@Type()` become nested DTOs. Other values are not converted, and no name has a special meaning.
 * @param levels of nested DTOs; with 0, nested objects keep all of their fields
 */
export function toDto<T extends object>(type: Type<T>, given: object, levels = MAX_LEVELS): T {
  const dto = new type();
  const from = given as Record<string, unknown>;
  const to = dto as Record<string, unknown>;
  for (const { name, type: nested } of dtoFieldsOf(type)) {
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    if (value !== undefined) to[name] = nested === null || levels === 0 ? value : toNested(nested, value, levels - 1);
  }
  return dto;
}

function toNested(type: Type<object>, value: unknown, levels: number): unknown {
  if (isJsonObject(value)) return toDto(type, value, levels);
  if (!Array.isArray(value) || value.length > MAX_ELEMENTS) return value;
  return value.map((element: unknown) => (isJsonObject(element) ? toDto(type, element, levels) : element));
}
