import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '@heliograph/errors';
import { isStorableText, rule } from '@heliograph/service-kit';

/** Maximum length of a message in code points. */
export const MAX_MESSAGE_LENGTH = 4_000;
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** The rules of a text of at most 4,000 characters. `code` is the error code of a value that is not text. */
export function IsMessageText(code: ErrorCode): PropertyDecorator {
  return applyDecorators(
    rule('isText', 'message must be a string without NUL characters and lone surrogates.', isText, code),
    rule(
      'isShort',
      `message must have at most ${MAX_MESSAGE_LENGTH} characters. Shorten or split it.`,
      isShort,
      'MESSAGE_TOO_LONG',
    ),
  );
}

/** The rules of a visitor's message, which must contain a visible character. */
export const IsMessage = (): PropertyDecorator =>
  applyDecorators(
    IsMessageText('EMPTY_MESSAGE'),
    rule(
      'isVisible',
      'message is empty. Send a text with at least one visible character.',
      (value) => VISIBLE.test(String(value)),
      'EMPTY_MESSAGE',
    ),
  );

const isText = (value: unknown): value is string => isStorableText(value);

/** Checks an upper bound first, because counting the code points of a megabyte is expensive. */
function isShort(value: unknown): boolean {
  return isText(value) && value.length <= 2 * MAX_MESSAGE_LENGTH && [...value].length <= MAX_MESSAGE_LENGTH;
}
