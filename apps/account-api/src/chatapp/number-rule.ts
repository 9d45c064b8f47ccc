import { parseNumber } from '@heliograph/phone';
import { rule } from '../http/rules';

/** A number in international form, with or without its plus; in a query string the plus may have become a blank. */
export const IsNumber = () =>
  rule(
    'isNumber',
    'must be a number in international form, such as +919811111111',
    (value) => typeof value === 'string' && parseNumber(value) !== null,
  );

/** A number that the rule has let through, digits after a plus. */
export function numberOf(text: string): string {
  return parseNumber(text)?.e164 ?? text;
}
