import { AppError } from '@heliograph/errors';
import { invalidValues, renderTemplate, type InvalidValue, type ParsedTemplate } from './render-template';
import { countSegments, MAX_BODY_UNITS, MAX_SEGMENTS, type SmsEncoding } from './segment-count';

export interface ComposedMessage {
  body: string;
  encoding: SmsEncoding;
  segments: number;
}

/**
 * Renders the template and counts the segments. Throws MISSING_VARIABLES with the tokens, and INVALID_VARIABLES for
 * values that are too long or not of the kind of their placeholder, and for a text that is empty or longer than 255
 * segments.
 */
export function composeMessage(
  template: ParsedTemplate,
  variables: ReadonlyMap<string, string>,
  message?: string,
): ComposedMessage {
  const rendered = renderTemplate(template, variables, message);
  if ('missing' in rendered) {
    throw new AppError(
      'MISSING_VARIABLES',
      `The template needs a value in variables for: ${rendered.missing.join(', ')}.`,
    );
  }
  if ('invalid' in rendered) throw invalidValuesError(rendered.invalid);
  if ('tooLong' in rendered) throw tooLong();
  const { body } = rendered;
  if (body.trim() === '')
    throw new AppError('INVALID_VARIABLES', 'The message is empty with these variables. Give it some text.');
  return measured(body) ?? fail(tooLong());
}

/** Checks the values of the variables that are given. Throws INVALID_VARIABLES. */
export function assertValues(template: ParsedTemplate, variables: ReadonlyMap<string, string>): void {
  const invalid = invalidValues(template, variables);
  if (invalid.length > 0) throw invalidValuesError(invalid);
}

/** Counts the segments of a whole text. Throws INVALID_REQUEST for a text that is empty or longer than 255 segments. */
export function composeText(body: string): ComposedMessage {
  if (body.trim() === '') throw new AppError('INVALID_REQUEST', 'message is empty. Give it some text.');
  const composed = body.length > MAX_BODY_UNITS ? null : measured(body);
  return (
    composed ?? fail(new AppError('INVALID_REQUEST', `message needs more than ${MAX_SEGMENTS} segments. Shorten it.`))
  );
}

/** Null for a text that needs too many segments. */
function measured(body: string): ComposedMessage | null {
  const { encoding, segments } = countSegments(body);
  return segments > MAX_SEGMENTS ? null : { body, encoding, segments };
}

function fail(error: AppError): never {
  throw error;
}

function invalidValuesError(invalid: readonly InvalidValue[]): AppError {
  const problems = invalid.map(
    ({ token, placeholder, problem }) => `The value of ${token} ${problem}, because the template has ${placeholder}.`,
  );
  return new AppError('INVALID_VARIABLES', problems.join(' '));
}

function tooLong(): AppError {
  return new AppError(
    'INVALID_VARIABLES',
    `The message would need more than ${MAX_SEGMENTS} segments. Shorten the variables.`,
  );
}
