import type { ErrorCode } from '@heliograph/errors';
import { registerDecorator } from 'class-validator';

/** The context of a class-validator rule: the error code of a violation. */
export interface RuleContext {
  code?: ErrorCode;
}

/**
 * Creates a class-validator rule.
 * @param message tells the caller what to send; a function gets the invalid value
 * @param isValid gets the value and the whole DTO. Combine several rules of one field with `applyDecorators`: the first
 * violated rule is reported
 * @param code the error code of a violation; by default that of the API
 */
export function rule<T extends object>(
  name: string,
  message: string | ((value: unknown) => string),
  isValid: (value: unknown, dto: T) => boolean,
  code?: ErrorCode,
): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: {
        message: typeof message === 'string' ? message : ({ value }) => message(value),
        context: { code } satisfies RuleContext,
      },
      validator: { validate: (value, given) => isValid(value, given?.object as T) },
    });
}

/** True for text that PostgreSQL and every upstream can store: no NUL and no lone surrogate. */
export function isStorableText(value: unknown, maxLength = Infinity): value is string {
  return typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed();
}

/**
 * Returns the first `maxLength` characters of text from outside, so that `isStorableText` is true for them: NUL and lone
 * surrogates, also that of a pair that is cut, become U+FFFD.
 */
export function toStorableText(text: string, maxLength = Infinity): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}
