import { AppError, type ErrorCode } from '@heliograph/errors';

/** Whether the service refused the input of a form with one of these codes. */
export function isRefusal(error: unknown, ...codes: ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code);
}

/** The field and the sentence of a VALIDATION_ERROR, whose message is `field: must …`. */
export function problemOf({ message }: AppError): { field: string; problem: string } {
  const [, field = 'password', rest = message] = /^(\w+): (.*)$/s.exec(message) ?? [];
  const subject = field.charAt(0).toUpperCase() + field.slice(1);
  return { field, problem: `${subject} ${rest}` };
}
