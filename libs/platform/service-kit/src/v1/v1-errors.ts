import type { Type } from '@nestjs/common';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { isJsonObject } from '../body/request-fields';
import { toStorableText } from '../http/rules';
import { violationsOf } from '../http/violations';

export interface V1Field {
  field: string;
  /** Replaces the message of the unversioned API if that message names fields of the unversioned API. */
  message?: string;
}

/** The field of the v1 API that an error of checks shared with the unversioned API is about. */
export type V1Fields = Partial<Record<ErrorCode, V1Field>>;

/** Maximum number of `fields` in an error. */
const MAX_FIELDS = 100;

/** An error in one field of the request. */
export function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, message, { details: { fields: [{ field, message }] } });
}

/**
 * Runs checks that are shared with the unversioned API, and replaces its field names in errors with those of the v1
 * API.
 */
export async function withFields<T>(fields: V1Fields, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'VALIDATION_ERROR') throw inV1(error);
    const known = error.details?.['fields'] ? undefined : fields[error.code];
    throw known ? fieldError(error.code, known.field, known.message ?? error.message) : error;
  }
}

/** Validates one recipient of a bulk send, which is rejected by itself. Throws the error of the first violated rule. */
export function assertValidRecipient<T extends object>(recipient: unknown, type: Type<T>): asserts recipient is T {
  if (!(recipient instanceof type)) {
    throw new AppError('INVALID_RECIPIENT', 'Each recipient must be an object with the field to.');
  }
  const [violation] = violationsOf(recipient);
  if (violation) throw fieldError(violation.code ?? 'INVALID_REQUEST', violation.path, violation.message);
}

/** The error of one recipient of a bulk send; throws errors that are not about the recipient. */
export function rejectionOf(error: unknown): AppError {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return error;
}

/** The `to` of a rejected recipient of a bulk send, cut to `maxLength` characters; null if it is not text. */
export function rejectedTo(recipient: unknown, maxLength: number): string | null {
  const to = isJsonObject(recipient) && Object.hasOwn(recipient, 'to') ? recipient['to'] : null;
  return typeof to === 'string' ? toStorableText(to, maxLength) : null;
}

/** A bulk send without a valid recipient. `errors`: the error of each recipient, in the order of the request. */
export function noValidRecipient(errors: readonly AppError[]): AppError {
  const fields = errors.slice(0, MAX_FIELDS).map((error, index) => {
    const [first] = (error.details?.['fields'] ?? []) as { field: string }[];
    return { field: `recipients[${index}]${first ? `.${first.field}` : ''}`, message: error.message };
  });
  const message = `No recipient is valid. The error of the first recipient: ${errors[0]?.message ?? 'unknown'}`;
  return new AppError('INVALID_REQUEST', message, { details: { fields } });
}

/** An error of rules that are shared with the account API, with the code and the field names of the v1 API. */
export function inV1(error: AppError): AppError {
  if (error.code !== 'VALIDATION_ERROR') return error;
  const { message, details } = error;
  const [, field = '', problem = message] = /^([A-Za-z]+)(?:, [A-Za-z]+)*: (.*?)\.?$/s.exec(message) ?? [];
  const fields = (details?.['fields'] ?? [{ field, message: problem }]) as { field: string; message: string }[];
  const named = fields.map((one) => ({
    field: snakeCase(one.field),
    message: `${snakeCase(one.field)} ${one.message}.`,
  }));
  return new AppError('INVALID_REQUEST', named[0]?.message ?? message, { details: { fields: named } });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
