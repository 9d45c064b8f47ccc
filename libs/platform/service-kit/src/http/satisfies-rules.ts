import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;
type Condition = (dto: object, value: unknown) => boolean;

interface Check {
  constraints: unknown[];
  validate: (value: unknown, given: ValidationArguments) => unknown;
}

interface Field {
  property: string;
  /** All must be true, else the rules of the field do not apply. */
  conditions: Condition[];
  checks: Check[];
}

/** By DTO class. Null if a rule is nested, applies to each element, or belongs to a group: class-validator must evaluate those. */
const fieldsByType = new WeakMap<object, readonly Field[] | null>();

/**
 * Returns true if a DTO certainly satisfies the rules of its class. If not, `validateSync` tells which ones are violated. This
 * reads the metadata of a class once, while class-validator reads, groups and filters it for every object, and creates a
 * ValidationError for every field.
 */
export function satisfiesRules(dto: object): boolean {
  const type = dto.constructor;
  let fields = fieldsByType.get(type);
  if (fields === undefined) {
    fields = readFields(getMetadataStorage().getTargetValidationMetadatas(type, '', false, false));
    fieldsByType.set(type, fields);
  }
  return fields?.every((field) => isSatisfied(field, dto)) ?? false;
}

function isSatisfied({ property, conditions, checks }: Field, dto: object): boolean {
  const value = Reflect.get(dto, property) as unknown;
  if (!conditions.every((applies) => applies(dto, value))) return true;
  return checks.every(
    ({ constraints, validate }) =>
      validate(value, { targetName: dto.constructor.name, property, object: dto, value, constraints }) === true,
  );
}

function readFields(rules: Rules): Field[] | null {
  const fields = new Map<string, Field>();
  for (const { type, propertyName: property, constraintCls, constraints = [], each, groups, validateIf } of rules) {
    if (type === ValidationTypes.WHITELIST) continue;
    if (each || validateIf || (groups?.length ?? 0) > 0) return null;
    const field = fields.get(property) ?? { property, conditions: [], checks: [] };
    fields.set(property, field);
    if (type === ValidationTypes.CONDITIONAL_VALIDATION) field.conditions.push(constraints[0] as Condition);
    else if (type !== ValidationTypes.CUSTOM_VALIDATION) return null;
    else {
      for (const { instance } of getMetadataStorage().getTargetValidatorConstraints(constraintCls)) {
        field.checks.push({ constraints, validate: (value, given) => instance.validate(value, given) });
      }
    }
  }
  return fields.size === 0 ? null : [...fields.values()];
}
