import { AppError } from '@heliograph/errors';
import {
  isJsonObject,
  singleField,
  type FormFields,
  type InputDefaults,
  type RequestValidationOptions,
} from '@heliograph/service-kit';

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const accountValidation: RequestValidationOptions = { defaultCode: 'VALIDATION_ERROR' };

/** The input formats of the account API for bodies and query strings. */
export const accountInput: InputDefaults = {
  body: { bytes: parseJsonObject, mediaTypes: ['application/json'], mayBeEmpty: true },
  query: normalizeQuery,
};

/** Throws INVALID_REQUEST, and VALIDATION_ERROR for JSON that is not an object. */
function parseJsonObject(bytes: Buffer): object {
  const json = parseJson(bytes);
  if (isJsonObject(json)) return json;
  throw new AppError('VALIDATION_ERROR', 'body: must be a JSON object.');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new AppError('INVALID_REQUEST', 'The body is not valid JSON. Send a JSON object in UTF-8.', {
      cause: error,
    });
  }
}

/** Reads a query string. All values are strings. Throws a FieldError for any repeated parameter, even if it is unknown. */
function normalizeQuery(parameters: FormFields): object {
  return Object.fromEntries([...parameters].map(([name, values]) => [name, singleField(name, values)]));
}
