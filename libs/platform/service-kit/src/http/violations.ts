import type { Type } from '@nestjs/common';
import type { ErrorCode } from '@heliograph/errors';
import type { ValidationArguments } from 'class-validator';
import { dtoFieldsOf, type DtoRule, type NestedRule } from './dto-fields';

const MAX_VIOLATIONS = 100;

export interface Violation {
  /** Such as `recipients[3].variables` */
  path: string;
  code: ErrorCode | undefined;
  message: string;
}

/**
 * The first violated rule of each field of a DTO and of its nested DTOs, in the order of their declaration; at most 100. A nested DTO
 * is checked if the other rules of its field are satisfied, such as the length of a list.
 *
 * The metadata of a class is read once, while `validateSync` of class-validator reads, groups and filters it for every object, creates
 * a ValidationError for every field, and visits all elements of a list.
 */
export function violationsOf(dto: object): Violation[] {
  const found: Violation[] = [];
  collect(dto, '', found);
  return found;
}

function collect(dto: object, parent: string, found: Violation[]): void {
  for (const field of dtoFieldsOf(dto.constructor as Type<object>)) {
    if (found.length === MAX_VIOLATIONS) return;
    const value = (dto as Record<string, unknown>)[field.name];
    if (!field.conditions.every((applies) => applies(dto, value))) continue;
    const path = parent === '' ? field.name : `${parent}.${field.name}`;
    const violation = firstViolation(field.rules, dto, value, path);
    if (violation) found.push(violation);
    else if (field.nested && field.type) collectNested(field.nested, field.type, dto, value, path, found);
  }
}

function firstViolation(rules: readonly DtoRule[], dto: object, value: unknown, path: string): Violation | null {
  for (const rule of rules) {
    if (rule.isEach && Array.isArray(value)) {
      const index = value.findIndex((element) => !isSatisfied(rule, dto, element, path));
      if (index !== -1) return violationOf(rule, dto, value[index], `${path}[${index}]`);
    } else if (!isSatisfied(rule, dto, value, path)) {
      return violationOf(rule, dto, value, path);
    }
  }
  return null;
}

function isSatisfied(rule: DtoRule, dto: object, value: unknown, path: string): boolean {
  return rule.validate(value, argumentsOf(rule, dto, value, path)) === true;
}

/** A value that is not an object is no instance of the class, and an absent one is a violation without `@IsOptional()`. */
function collectNested(
  nested: NestedRule,
  type: Type<object>,
  dto: object,
  value: unknown,
  path: string,
  found: Violation[],
): void {
  const before = found.length;
  const check = (one: unknown, place: string): void => {
    if (one instanceof type) collect(one, place, found);
    else found.push(violationOf(nested, dto, one, place));
  };
  if (!nested.isEach) check(value, path);
  else if (!Array.isArray(value)) check(null, path);
  else {
    for (const [index, element] of value.entries()) {
      if (found.length === MAX_VIOLATIONS) break;
      check(element, `${path}[${index}]`);
    }
  }
  const [first] = nested.isWhole ? found.splice(before) : [];
  if (first) found.push({ ...first, path, code: first.code ?? nested.code });
}

function violationOf(rule: Omit<DtoRule, 'validate'>, dto: object, value: unknown, path: string): Violation {
  return { path, code: rule.code, message: rule.messageOf(argumentsOf(rule, dto, value, path)) };
}

function argumentsOf(
  { targetName, constraints }: Pick<DtoRule, 'targetName' | 'constraints'>,
  object: object,
  value: unknown,
  property: string,
): ValidationArguments {
  return { targetName, property, object, value, constraints };
}
