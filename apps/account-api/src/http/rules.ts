import { CREDIT_TYPES, ROLES } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { isStorableText, parseScheduledAt, rule } from '@heliograph/service-kit';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';

const MAX_TEXT_LENGTH = 100_000;

/** A string of at most `maxLength` characters. */
export const IsText = (maxLength = MAX_TEXT_LENGTH) =>
  rule('isText', `must be a string of at most ${maxLength} characters`, (value) => isStorableText(value, maxLength));

/** A string that is not blank. */
export const IsNonBlankText = (maxLength = MAX_TEXT_LENGTH) =>
  rule(
    'isNonBlankText',
    `must be a string of 1 to ${maxLength} characters`,
    (value) => isStorableText(value, maxLength) && value.trim() !== '',
  );

/** The property may be absent; null counts as present. */
export const Optional = () => ValidateIf((_object, value) => value !== undefined);
/** The property may be null. */
export const Nullable = () => ValidateIf((_object, value) => value !== null);
/** The property may be absent or null. */
export const OptionalNullable = () => IsOptional();

/** An integer within bounds; strings and fractions are rejected. */
export const IsInteger = (min: number, max: number) =>
  rule(
    'isInteger',
    `must be an integer from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );

export const IsTrueOrFalse = () =>
  rule('isTrueOrFalse', 'must be true or false', (value) => typeof value === 'boolean');

/** A well-formed id. Unknown ids are reported as not found by the service. */
export const IsWellFormedId = () => rule('isWellFormedId', 'must be an id from an earlier response', isId);

/** A list of strings. */
export const IsTextArray = (maxEntries: number, maxLength: number) =>
  rule(
    'isTextArray',
    `must be a list of at most ${maxEntries} strings`,
    (value) =>
      Array.isArray(value) && value.length <= maxEntries && value.every((entry) => isStorableText(entry, maxLength)),
  );

const instantOf = (value: unknown): Date | null =>
  typeof value === 'string' ? (parseScheduledAt(value)?.date ?? null) : null;

/** RFC 3339 timestamp with a zone. */
export const IsTimestamp = () =>
  rule(
    'isTimestamp',
    'must be an RFC 3339 timestamp such as 2026-11-20T10:12:28Z',
    (value) => instantOf(value) !== null,
  );

/** RFC 3339 timestamp with a zone, in the future. */
export const IsFutureTimestamp = () =>
  rule('isFutureTimestamp', 'must be an RFC 3339 timestamp in the future', (value) => {
    const instant = instantOf(value);
    return instant !== null && instant.getTime() > Date.now();
  });

export const IsOneOf = (values: readonly string[]) => IsIn(values, { message: `must be one of ${values.join(', ')}` });
export const IsRole = () => IsOneOf(ROLES);
export const IsCreditType = () => IsOneOf(CREDIT_TYPES);

/** A boolean in a query string, as the text true or false. */
export const FLAGS = ['true', 'false'] as const;
export type Flag = (typeof FLAGS)[number];

/** Converts a flag to a boolean; undefined if the parameter is absent. */
export function readFlag(flag: Flag | undefined): boolean | undefined {
  return flag === undefined ? undefined : flag === 'true';
}
