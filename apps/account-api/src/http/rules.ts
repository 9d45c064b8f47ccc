import { applyDecorators } from '@nestjs/common';

import { CREDIT_TYPES, ROLES } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { IsIn, IsOptional, registerDecorator, ValidateIf } from 'class-validator';

const MAX_TEXT_LENGTH = 100_000;

/** Creates a validation decorator with the message of its violation. */
export function createRule(name: string, message: string, holds: (value: unknown) => boolean): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: { message },
      validator: { validate: holds },
    });
}

/** Text that all storage systems can represent: no NUL character, no unpaired surrogate. */
export function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed();
}

/** Text of at most `maxLength` characters. */
export const IsText = (maxLength = MAX_TEXT_LENGTH) =>
  createRule('isText', `must be text of at most ${maxLength} characters`, (value) => isText(value, maxLength));

/** Text that is not blank. */
export const IsNonBlankText = (maxLength = MAX_TEXT_LENGTH) =>
  createRule(
    'isNonBlankText',
    `must be text of 1 to ${maxLength} characters`,
    (value) => isText(value, maxLength) && value.trim() !== '',
  );

/** The property may be absent; null counts as present. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);
/** The property may be null. */
export const Nullable = () => ValidateIf((_object, value) => value !== null);
/** The property may be absent or null. */
export const OptionalNullable = () => IsOptional();

/** An integer within bounds; strings and fractions are rejected. */
export const IsInteger = (min: number, max: number) =>
  createRule(
    'isInteger',
    `must be an integer from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );

export const IsTrueOrFalse = () =>
  createRule('isTrueOrFalse', 'must be true or false', (value) => typeof value === 'boolean');

/** A well-formed id. Unknown ids are reported as not found by the service. */
export const IsWellFormedId = () => createRule('isWellFormedId', 'must be an id from an earlier response', isId);

/** A list of strings. */
export const IsTextArray = (maxEntries: number, maxLength: number) =>
  createRule(
    'isTextArray',
    `must be a list of at most ${maxEntries} strings`,
    (value) => Array.isArray(value) && value.length <= maxEntries && value.every((entry) => isText(entry, maxLength)),
  );

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

export function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && RFC3339.test(value) && !Number.isNaN(Date.parse(value));
}

/** RFC 3339 timestamp with a zone. */
export const IsTimestamp = () =>
  createRule('isTimestamp', 'must be an RFC 3339 timestamp such as 2026-11-20T10:12:28Z', isTimestamp);

/** RFC 3339 timestamp with a zone, in the future. */
export const IsFutureTimestamp = () =>
  createRule(
    'isFutureTimestamp',
    'must be an RFC 3339 timestamp in the future',
    (value) => isTimestamp(value) && Date.parse(value) > Date.now(),
  );

const oneOf = (values: readonly string[]) => IsIn(values, { message: `must be one of ${values.join(', ')}` });

export const IsRole = () => applyDecorators(oneOf(ROLES));
export const IsCreditType = () => applyDecorators(oneOf(CREDIT_TYPES));
export const IsOneOf = (values: readonly string[]) => applyDecorators(oneOf(values));
