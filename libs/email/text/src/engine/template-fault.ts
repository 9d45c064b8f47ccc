import { AppError } from '@heliograph/errors';
import { LiquidError, type Token } from 'liquidjs';

export type TemplatePart = 'subject' | 'html' | 'text';

const MAX_REASON_LENGTH = 200;
const POSITION = /, line:\d+, col:\d+$/;
/** The messages of the two limiters of the library. */
const LIMITS = [
  ['memory alloc limit exceeded', 'it does too much work: loop over fewer items, or shorten the values'],
  ['template render limit exceeded', 'it takes too long: loop over fewer items, or shorten the values'],
] as const;

/** Converts an error of the template engine to INVALID_TEMPLATE with the position in the source. */
export function templateFault(part: TemplatePart, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!LiquidError.is(thrown))
    return faultAt(part, null, 'it cannot be parsed, because it is nested too deeply', thrown);
  const limit = LIMITS.find(([message]) => thrown.message.startsWith(message));
  const reason = limit?.[1] ?? thrown.message.replace(POSITION, '');
  return faultAt(part, thrown.token, reason, thrown);
}

export function faultAt(part: TemplatePart, token: Token | null, reason: string, cause?: unknown): AppError {
  const [line, column] = token?.getPosition() ?? [];
  const place = line === undefined ? part : `${part}, line ${line}, column ${column}`;
  const shortReason =
    reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}...` : reason;
  return new AppError('INVALID_TEMPLATE', `${place}: ${shortReason}. Correct the template there.`, { cause });
}
