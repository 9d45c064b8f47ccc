import { filters as liquidFilters, type FilterImplOptions } from 'liquidjs';
import { chargeSearch, chargeSize, chargeWork } from './work-budget';

type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
type FilterCall = ThisParameterType<FilterHandler>;

/** Takes constant time. */
const CONSTANT = ['default', 'first', 'last', 'size'];
/** Takes time proportional to the value and the arguments. */
const LINEAR = [
  'abs',
  'at_least',
  'at_most',
  'ceil',
  'divided_by',
  'floor',
  'minus',
  'modulo',
  'plus',
  'round',
  'times',
  'append',
  'capitalize',
  'downcase',
  'lstrip',
  'prepend',
  'rstrip',
  'slice',
  'squish',
  'strip',
  'truncate',
  'strip_html',
  'strip_newlines',
  'truncatewords',
  'upcase',
  'uri_escape',
  'url_decode',
  'url_encode',
  'compact',
  'concat',
  'join',
  'json',
  'reverse',
  'uniq',
  'base64_encode',
];
/** Searches its first argument in the text. */
const SEARCHING = ['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'split'];
/** Reads a field of every element, named by the first argument. */
const BY_FIELD = ['find', 'has', 'map', 'reject', 'sort', 'sort_natural', 'sum', 'where'];
/**
 * Returns text that is already valid html and is not escaped again. With `raw`, the author declares that a value is html;
 * there is no other way to print a value unescaped.
 */
const ESCAPING = ['escape', 'escape_once'];

const FIELD_NAME = /^[\p{L}\p{M}\p{N}_.-]{1,100}$/u;
const FIELD_UNITS = 400;
const COMPARISON_UNITS = 20;
const MAX_DATE_FORMAT_LENGTH = 100;
/** Conversions of strftime with names of a locale take about 50 µs; the others take 1 µs. */
const WORDED_CONVERSION = /%[-_0^#:]*\d*[EO]?[aAbBcchpPxXZ]/g;
const WORDED_CONVERSION_UNITS = 5_000;
const CONVERSION_UNITS = 300;
const ZONE_UNITS = 10_000;

/** All filters of templates. Each charges the budget before it starts. */
export const TEMPLATE_FILTERS: ReadonlyMap<string, FilterImplOptions> = new Map<string, FilterImplOptions>([
  ...CONSTANT.map((name) => [name, handlerOf(name)] as const),
  ...LINEAR.map((name) => [name, charged(name)] as const),
  ...SEARCHING.map((name) => [name, charged(name, chargePattern)] as const),
  ...BY_FIELD.map((name) => [name, charged(name, chargeFields)] as const),
  ...ESCAPING.map((name) => [name, { raw: true, handler: charged(name) }] as const),
  ['newline_to_br', { raw: true, handler: newlineToBr }],
  ['raw', { raw: true, handler: (value: unknown) => value }],
  ['date', charged('date', chargeDate)],
]);

function handlerOf(name: string): FilterHandler {
  const options = (liquidFilters as Record<string, FilterImplOptions>)[name];
  if (typeof options !== 'function') throw new Error(`liquidjs has no filter ${name}.`);
  return options;
}

function charged(
  name: string,
  charge?: (call: FilterCall, value: unknown, args: readonly unknown[]) => void,
): FilterHandler {
  const handler = handlerOf(name);
  return function (this: FilterCall, value: unknown, ...args: unknown[]): unknown {
    this.context.renderLimit.check(performance.now());
    charge?.(this, value, args);
    chargeSize(this.context, value);
    for (const arg of args) chargeSize(this.context, arg);
    return handler.call(this, value, ...args);
  };
}

function chargePattern({ context }: FilterCall, value: unknown, [pattern]: readonly unknown[]): void {
  chargeSearch(context, value, pattern);
}

/** liquidjs evaluates the argument as a path, or for some filters as an expression, for each element. */
function chargeFields({ context }: FilterCall, value: unknown, [field]: readonly unknown[]): void {
  const length = Array.isArray(value) ? value.length : 1;
  chargeWork(context, length * (FIELD_UNITS + COMPARISON_UNITS * Math.log2(length + 1)));
  if (field === undefined || (typeof field === 'string' && FIELD_NAME.test(field))) return;
  throw new Error('the name of a field must consist of letters, digits, dots, hyphens and underscores');
}

function chargeDate({ context }: FilterCall, _value: unknown, [format, zone]: readonly unknown[]): void {
  const text = format === undefined || format === null ? context.opts.dateFormat : format;
  if (typeof text !== 'string' || text.length > MAX_DATE_FORMAT_LENGTH) {
    throw new Error(`the format of a date must be text of at most ${MAX_DATE_FORMAT_LENGTH} characters`);
  }
  chargeWork(context, text.split('%').length * CONVERSION_UNITS);
  chargeWork(context, (text.match(WORDED_CONVERSION)?.length ?? 0) * WORDED_CONVERSION_UNITS);
  if (typeof zone === 'string') chargeWork(context, ZONE_UNITS);
}

function newlineToBr(this: FilterCall, value: unknown): unknown {
  const escaped: unknown = charged('escape').call(this, value);
  return charged('newline_to_br').call(this, escaped);
}
