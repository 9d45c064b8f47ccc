import { ApiError, AuthenticationError, ConnectionError } from '@heliograph/sdk';
import { strings } from '../strings';

/** The sentence of an error for the person. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return withoutSuffix(error);
  if (error instanceof ConnectionError) return strings.errors.offline;
  return strings.errors.unexpected;
}

/** The client adds the code, status and request to the message, which a page shows separately. */
function withoutSuffix({ message, code, status }: ApiError): string {
  const at = message.lastIndexOf(` (${code}, status ${status}`);
  return at === -1 ? message : message.slice(0, at);
}

/** Whether the API refused a call with one of these codes. */
export function isRefusal(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}

/** Whether the session has ended. A refused login is no such error. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof AuthenticationError && ['UNAUTHENTICATED', 'AUTH_SESSION_EXPIRED'].includes(error.code);
}

/**
 * The invalid fields with their problems, for the fields of a form. The account API names one field in its message: `field: must …`.
 */
export function fieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (error.fields.length > 0) {
    return Object.fromEntries(error.fields.map(({ field, message }) => [field, sentence(message)]));
  }
  const [, field, problem] = /^(\w+): (.+)$/s.exec(withoutSuffix(error)) ?? [];
  return field !== undefined && problem !== undefined ? { [field]: sentence(problem) } : {};
}

function sentence(text: string): string {
  const withStop = /[.!?]$/.test(text) ? text : `${text}.`;
  return withStop.charAt(0).toUpperCase() + withStop.slice(1);
}
