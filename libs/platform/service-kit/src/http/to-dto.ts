import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { satisfiesRules } from './satisfies-rules';

const BUILT_IN = new Set<unknown>([String, Number, Boolean, Object, Array, Map, Buffer]);
const fieldsByType = new Map<Type<object>, readonly string[]>();

/** The class of a parameter, if it is a DTO. */
export function dtoType(metatype: unknown): Type<object> | null {
  return typeof metatype === 'function' && !BUILT_IN.has(metatype) ? (metatype as Type<object>) : null;
}

/** Copies the own fields of a request that its class has a rule for. An absent field keeps the default of the class. */
export function toDto<T extends object>(type: Type<T>, given: object): T {
  const dto = new type();
  const from = given as Record<string, unknown>;
  const to = dto as Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    if (Object.hasOwn(from, field) && from[field] !== undefined) to[field] = from[field];
  }
  return dto;
}

/** The fields of a DTO that have a rule, in the order of their declaration. */
export function fieldsOf(type: Type<object>): readonly string[] {
  let fields = fieldsByType.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    fieldsByType.set(type, (fields = [...new Set(rules.map(({ propertyName }) => propertyName))]));
  }
  return fields;
}

/** The first violated rule of each field. */
export function violationsOf(dto: object): ValidationError[] {
  if (satisfiesRules(dto)) return [];
  return validateSync(dto, { stopAtFirstError: true, forbidUnknownValues: true });
}

export function isValid(dto: object): boolean {
  return violationsOf(dto).length === 0;
}
