import { AppError } from '@heliograph/errors';
import { isCountryCode } from '@heliograph/addresses';
import { isDisplayText } from '@heliograph/service-kit';
import {
  countSegments,
  MAX_BODY_UNITS,
  MAX_SEGMENTS,
  parseTemplate,
  PLACEHOLDER_KINDS,
  septetCount,
} from '@heliograph/sms-text';

/** Credits per segment. */
const MAX_RATE = 1_000_000;
const MAX_NAME_LENGTH = 200;
const MAX_REASON_LENGTH = 1_000;
const MAX_PLACEHOLDERS = 100;
const NUMBER = /^\+?\d{1,15}$/;
/** An alphanumeric address is limited to eleven septets (3GPP TS 23.040, 9.1.2.5). */
const MAX_HEADER_SEPTETS = 11;
const PRINTABLE_ASCII = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const DLT_ID = /^\d{1,30}$/;

/** Validation rules of catalog entries. Undefined fields are not checked. */
export interface CatalogValues {
  name?: string;
  country?: string;
  dltEntityId?: string | null;
  header?: string;
  dltSenderId?: string | null;
  body?: string;
  dltTemplateId?: string | null;
  rejectionReason?: string;
  rate?: number;
}

/** Returns the rule that an invalid value violates; null if the value is valid. */
type Rule<Value> = (value: Value) => string | null;

interface InvalidField {
  field: string;
  /** Error text that describes a valid value. */
  message: string;
}

/** Throws a VALIDATION_ERROR that lists each invalid field with its rule. */
export function checkCatalogValues(values: CatalogValues): void {
  const fields = [
    whatIsWrong('name', values.name, nameRule),
    whatIsWrong('country', values.country, countryRule),
    whatIsWrong('dltEntityId', values.dltEntityId, dltIdRule),
    whatIsWrong('header', values.header, headerRule),
    whatIsWrong('dltSenderId', values.dltSenderId, dltIdRule),
    whatIsWrong('body', values.body, bodyRule),
    whatIsWrong('dltTemplateId', values.dltTemplateId, dltIdRule),
    whatIsWrong('rejectionReason', values.rejectionReason, reasonRule),
    whatIsWrong('rate', values.rate, rateRule),
  ].filter((field) => field !== null);
  if (fields.length === 0) return;
  const message = fields.map(({ field, message: problem }) => `${field}: ${problem}`).join('; ');
  throw new AppError('VALIDATION_ERROR', `${message}.`, { details: { fields } });
}

function whatIsWrong<Value>(field: string, value: Value | null | undefined, rule: Rule<Value>): InvalidField | null {
  if (value === undefined || value === null) return null;
  const problem = rule(value);
  return problem === null ? null : { field, message: problem };
}

const nameRule: Rule<string> = (name) =>
  name.trim() !== '' && isDisplayText(name, MAX_NAME_LENGTH)
    ? null
    : `must be 1 to ${MAX_NAME_LENGTH} characters without control and invisible characters`;

const countryRule: Rule<string> = (country) =>
  isCountryCode(country) ? null : 'must be an ISO 3166 alpha-2 code in capitals, such as IN';

const dltIdRule: Rule<string> = (id) => (DLT_ID.test(id) ? null : 'must be 1 to 30 digits, or null if there is none');

const headerRule: Rule<string> = (header) =>
  NUMBER.test(header) || (PRINTABLE_ASCII.test(header) && fits(header, MAX_HEADER_SEPTETS))
    ? null
    : `must be a number of up to 15 digits or up to ${MAX_HEADER_SEPTETS} letters, digits and punctuation characters, such as ACMEIN`;

/** A placeholder of a kind that does not exist would be sent as literal text. */
const UNKNOWN_PLACEHOLDER = /\{#[ \t]*\w{1,30}[ \t]*#\}/;
const KNOWN_PLACEHOLDERS = `use ${Object.keys(PLACEHOLDER_KINDS)
  .map((kind) => `{#${kind}#}`)
  .join(', ')}`;

/** Checks before the variables are known: the text around the placeholders must fit into a message. */
const bodyRule: Rule<string> = (body) => {
  if (body.trim() === '') return 'must not be empty';
  if (!isText(body)) return 'must be text without NUL and without unpaired surrogates';
  const tooLong = `must be short enough for ${MAX_SEGMENTS} segments`;
  if (body.length > MAX_BODY_UNITS) return tooLong;
  const { literals, slots } = parseTemplate(body);
  const unknown = UNKNOWN_PLACEHOLDER.exec(literals.join(' '));
  if (unknown)
    return `must not contain ${unknown[0]}, which is not a placeholder of the DLT registry: ${KNOWN_PLACEHOLDERS}`;
  if (slots.length > MAX_PLACEHOLDERS) return `must have at most ${MAX_PLACEHOLDERS} placeholders`;
  return countSegments(literals.join('')).segments > MAX_SEGMENTS ? tooLong : null;
};

const reasonRule: Rule<string> = (reason) =>
  reason.trim() !== '' && reason.length <= MAX_REASON_LENGTH && isText(reason)
    ? null
    : `must be 1 to ${MAX_REASON_LENGTH} characters that tell the organization what to change`;

const rateRule: Rule<number> = (rate) =>
  Number.isInteger(rate) && rate >= 0 && rate <= MAX_RATE ? null : `must be a whole number from 0 to ${MAX_RATE}`;

function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

function fits(text: string, maxSeptets: number): boolean {
  const septets = septetCount(text);
  return septets > 0 && septets <= maxSeptets;
}
