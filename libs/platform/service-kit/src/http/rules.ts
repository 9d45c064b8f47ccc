import type { ErrorCode } from '@heliograph/errors';
import { registerDecorator } from 'class-validator';

/** The context of a class-validator rule. */
export interface RuleContext {
  /** The error code of a violation. */
  code?: ErrorCode;
  /** Of `@ValidateNested()`: the path of the first violation within the nested DTO is that of the field. */
  isWhole?: boolean;
}

/**
 * Creates a class-validator rule.
 * @param message tells the caller what to send; `$property` is the path of the field; a function gets the invalid value
 * @param isValid gets the value and the whole DTO. Combine several rules of one field with `applyDecorators`: the first
 * violated rule is reported
 * @param code the error code of a violation; by default that of the API
 * @param each the value is a list, and the rule applies to each of its elements
 */
export function rule<T extends object>(
  name: string,
  message: string | ((value: unknown) => string),
  isValid: (value: unknown, dto: T) => boolean,
  code?: ErrorCode,
  { each = false }: { each?: boolean } = {},
): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: {
        message: typeof message === 'string' ? message : ({ value }) => message(value),
        each,
        context: { ...(code && { code }) } satisfies RuleContext,
      },
      validator: { validate: (value, given) => isValid(value, given?.object as T) },
    });
}

/** True for text that PostgreSQL and every upstream can store: no NUL and no lone surrogate. */
export function isStorableText(value: unknown, maxLength = Infinity): value is string {
  return typeof value === 'string' && value.length <= maxLength && !value.includes('\0') && value.isWellFormed();
}

/**
 * Bidirectional controls and invisible characters, which make a text look like another one. The joiners of Indic and Persian words and
 * of emoji are allowed after such a character.
 */
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<![\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|(?!\p{Script=Latin})\p{L})[\u200c\u200d]/gu;

/** Other forms of the full stop, which make a text look like a link. */
const FULL_STOP = /[\u2024\u3002\ufe52\uff0e\uff61]/;

/** True for a single line of text that others see as a name: storable, and without characters that deceive readers. */
export function isDisplayText(value: unknown, maxLength = Infinity): value is string {
  return (
    isStorableText(value, maxLength) &&
    !/[\p{Cc}\u2028\u2029]/u.test(value) &&
    value.search(HIDDEN) === -1 &&
    !FULL_STOP.test(value)
  );
}

/** Characters that the URL parser removes or encodes silently, and that readers do not see. */
const UNSOUND_IN_URL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/** True for the text of an absolute URL without control characters, invisible characters and lone surrogates. */
export function isUrlText(value: unknown, maxLength = Infinity): value is string {
  return typeof value === 'string' && value.length <= maxLength && !UNSOUND_IN_URL.test(value) && URL.canParse(value);
}

/** Removes bidirectional controls and invisible characters, which `isDisplayText` refuses. */
export function withoutHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, '');
}

/**
 * Returns the first `maxLength` characters of text from outside, so that `isStorableText` is true for them: NUL and lone
 * surrogates, also that of a pair that is cut, become U+FFFD.
 */
export function toStorableText(text: string, maxLength = Infinity): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}
