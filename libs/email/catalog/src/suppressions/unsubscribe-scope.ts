import { AppError } from '@heliograph/errors';
import { isSlug } from '../catalog-rules';

/** Mail that recipients cannot unsubscribe from, such as receipts and one-time codes. */
export const TRANSACTIONAL = 'transactional';
/** The scope of an email that names none. */
export const MARKETING = 'marketing';
/** The scope of a suppression that applies to every email. */
export const EVERY_SCOPE = 'all';

/** Completes the name of a field. */
export const UNSUBSCRIBE_SCOPE_RULE =
  'must be transactional, marketing, or the name of a list of 1 to 63 lower-case letters, digits and inner hyphens other than all';
/** Completes the name of a field. */
export const SUPPRESSION_SCOPE_RULE =
  'must be all, marketing, or the name of a list of 1 to 63 lower-case letters, digits and inner hyphens other than transactional';

/** True for what an unsubscribe from an email may apply to: `transactional`, `marketing`, or the name of a list. */
export function isUnsubscribeScope(value: unknown): value is string {
  return typeof value === 'string' && value !== EVERY_SCOPE && isSlug(value);
}

/** True for what a suppression may apply to: `all`, `marketing`, or the name of a list. */
export function isSuppressionScope(value: unknown): value is string {
  return typeof value === 'string' && value !== TRANSACTIONAL && isSlug(value);
}

/** Null: no scope. Throws VALIDATION_ERROR. */
export function checkUnsubscribeScope(scope: string | null): void {
  if (scope === null || isUnsubscribeScope(scope)) return;
  throw new AppError('VALIDATION_ERROR', `unsubscribeScope: ${UNSUBSCRIBE_SCOPE_RULE}.`);
}

/** The scope of an email: its own, else that of its template, else `marketing`. */
export function unsubscribeScopeOf(
  own: string | null | undefined,
  template: { unsubscribeScope: string | null } | null,
): string {
  return own ?? template?.unsubscribeScope ?? MARKETING;
}
