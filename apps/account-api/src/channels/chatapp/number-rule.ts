import { parseNumber } from '@heliograph/addresses';
import { rule } from '@heliograph/service-kit';

/** A number in international format. The plus is optional, because it may have been decoded as a space in a query string. */
export const IsNumber = () =>
  rule(
    'isNumber',
    'must be a number in international format, such as +919811111111',
    (value) => typeof value === 'string' && parseNumber(value) !== null,
  );

/** Normalizes a valid number to a plus and digits. */
export function normalizeNumber(text: string): string {
  return parseNumber(text)?.e164 ?? text;
}
