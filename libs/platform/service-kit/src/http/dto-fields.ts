import type { Type } from '@nestjs/common';
import type { ErrorCode } from '@heliograph/errors';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';
import type { RuleContext } from './rules';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Constraint = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidatorConstraints']
>[number]['instance'];

export interface DtoRule {
  code: ErrorCode | undefined;
  /** The name of the DTO class, which is slow to read from a DTO. */
  targetName: string;
  /** `{ each: true }`: the rule applies to each element of a list. */
  isEach: boolean;
  constraints: unknown[];
  /** True for a valid value. A promise is not awaited. */
  validate: (value: unknown, given: ValidationArguments) => unknown;
  messageOf: (given: ValidationArguments) => string;
}

export interface NestedRule extends Omit<DtoRule, 'validate'> {
  isWhole: boolean;
}

/** A field of a DTO, with its class-validator rules. */
export interface DtoField {
  name: string;
  /** All must be true, else the rules of the field do not apply. */
  conditions: ((dto: object, value: unknown) => boolean)[];
  rules: DtoRule[];
  /** The class of the object in the field, or of the objects in its list: `@Type(() => Child)`. */
  type: Type<object> | null;
  /** `@ValidateNested()`, whose message and code are those of a value that is not an object. */
  nested: NestedRule | null;
}

const fieldsByType = new WeakMap<object, readonly DtoField[]>();

/** The fields of a DTO that have a rule, in the order of their declaration. */
export function dtoFieldsOf(type: Type<object>): readonly DtoField[] {
  let fields = fieldsByType.get(type);
  if (!fields) fieldsByType.set(type, (fields = readFields(type)));
  return fields;
}

/** The class of `@Type()`. */
export function nestedTypeOf(type: Type<object>, name: string): Type<object> | null {
  return (defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction() as Type<object> | undefined) ?? null;
}

function readFields(type: Type<object>): DtoField[] {
  const fields = new Map<string, DtoField>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName: name } = metadata;
    const field = fields.get(name) ?? {
      name,
      conditions: [],
      rules: [],
      type: nestedTypeOf(type, name),
      nested: null,
    };
    fields.set(name, field);
    if (!addRule(field, type.name, metadata))
      throw new Error(`${type.name}.${name}: a rule of this kind is not supported.`);
  }
  return [...fields.values()];
}

/** Returns false for a rule that `violationsOf` cannot evaluate. */
function addRule(
  field: DtoField,
  targetName: string,
  { type, constraintCls, constraints = [], ...options }: Metadata,
): boolean {
  if (options.validateIf || (options.groups?.length ?? 0) > 0) return false;
  const { code, isWhole = false } = (options.context ?? {}) as RuleContext;
  const rule = { code, targetName, isEach: options.each, constraints };
  switch (type) {
    case ValidationTypes.WHITELIST:
      return true;
    case ValidationTypes.CONDITIONAL_VALIDATION:
      field.conditions.push(constraints[0] as DtoField['conditions'][number]);
      return true;
    case ValidationTypes.NESTED_VALIDATION:
      field.nested = { ...rule, isWhole, messageOf: messageOf(options.message) };
      return field.type !== null;
    case ValidationTypes.CUSTOM_VALIDATION:
      for (const { instance } of getMetadataStorage().getTargetValidatorConstraints(constraintCls)) {
        const validate: DtoRule['validate'] = (value, given) => instance.validate(value, given);
        field.rules.push({ ...rule, validate, messageOf: messageOf(options.message, instance) });
      }
      return true;
    default:
      return false;
  }
}

/** A text with the tokens of class-validator, or a function whose result is the message. */
function messageOf(message: Metadata['message'], instance?: Constraint): DtoRule['messageOf'] {
  if (typeof message === 'function') return message;
  return (given) => {
    const text = message || (instance?.defaultMessage?.(given) ?? 'The request is not valid.');
    const withConstraints = given.constraints.reduce<string>(
      (result, constraint, index) => result.replaceAll(`$constraint${index + 1}`, textOf(constraint)),
      text,
    );
    return withConstraints.replaceAll('$property', given.property);
  };
}

function textOf(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
