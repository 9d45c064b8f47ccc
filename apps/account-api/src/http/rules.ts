import { applyDecorators } from '@nestjs/common';

import { CREDIT_TYPES, ROLES } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { IsIn, IsOptional, registerDecorator, ValidateIf } from 'class-validator';

const MAX_TEXT_LENGTH = 100_000;

/** A rule of our own, with the sentence that its violation is told in. */
export function rule(name: string, message: string, holds: (value: unknown) => boolean): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: { message },
      validator: { validate: holds },
    });
}

/** Text that every system on the way can hold: no NUL, no half of a surrogate pair. */
export function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed();
}

/** Text of at most so many characters. */
export const IsText = (maxLength = MAX_TEXT_LENGTH) =>
  rule('isText', `must be text of at most ${maxLength} characters`, (value) => isText(value, maxLength));

/** Text that is not empty. */
export const IsFilledText = (maxLength = MAX_TEXT_LENGTH) =>
  rule(
    'isFilledText',
    `must be text of 1 to ${maxLength} characters`,
    (value) => isText(value, maxLength) && value.trim() !== '',
  );

/** May be left out; null counts as sent. */
export const MayBeAbsent = () => ValidateIf((_object, value) => value !== undefined);
/** May be null. */
export const MayBeNull = () => ValidateIf((_object, value) => value !== null);
/** May be left out or null. */
export const MayBeEmpty = () => IsOptional();

/** An integer within bounds; no text, no fraction. */
export const IsWhole = (min: number, max: number) =>
  rule(
    'isWhole',
    `must be a whole number from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );

export const IsFlag = () => rule('isFlag', 'must be true or false', (value) => typeof value === 'boolean');

/** An id of ours, where only the form matters: one that nobody has finds nothing. */
export const IsIdText = () => rule('isIdText', 'must be an id, such as the id of an earlier answer', isId);

/** A list of texts. */
export const IsTextList = (maxEntries: number, maxLength: number) =>
  rule(
    'isTextList',
    `must be a list of at most ${maxEntries} texts`,
    (value) => Array.isArray(value) && value.length <= maxEntries && value.every((entry) => isText(entry, maxLength)),
  );

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && RFC3339.test(value) && !Number.isNaN(Date.parse(value));
}

/** RFC 3339 with a zone. */
export const IsMoment = () => rule('isMoment', 'must be an RFC 3339 timestamp such as 2026-11-20T10:12:28Z', isMoment);

/** RFC 3339 with a zone, later than now. */
export const IsFutureMoment = () =>
  rule(
    'isFutureMoment',
    'must be an RFC 3339 timestamp in the future',
    (value) => isMoment(value) && Date.parse(value) > Date.now(),
  );

const oneOf = (values: readonly string[]) => IsIn(values, { message: `must be one of ${values.join(', ')}` });

export const IsRole = () => applyDecorators(oneOf(ROLES));
export const IsCreditType = () => applyDecorators(oneOf(CREDIT_TYPES));
export const IsOneOf = (values: readonly string[]) => applyDecorators(oneOf(values));
