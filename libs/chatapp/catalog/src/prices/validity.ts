import { changeEntry, createEntry, readEntry, removeEntry, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { EntityManager, EntityTarget } from 'typeorm';

/** A rule that is valid from a given time until the next rule of the same kind. */
export interface Rule {
  id: string;
  validFrom: Date;
}

/** Start of a rule without `validFrom`. */
export const ALWAYS = new Date(0);

/** Throws VALIDATION_ERROR for a start in the past, NAME_TAKEN for a start that another rule of the kind has. */
export async function createRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  values: Partial<R>,
  naturalKey: string,
): Promise<R> {
  const now = new Date();
  const validFrom = values.validFrom ?? now;
  assertNotPast(validFrom, now);
  return createEntry(transaction, entity, { ...values, validFrom }, naturalKey);
}

/** Throws NOT_FOUND, STATE_CONFLICT for a rule that is already valid, and the errors of `createRule`. */
export async function changeRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  id: string,
  changes: Partial<R>,
  naturalKey: string,
): Promise<Changed<R>> {
  const changesOf = (before: R): Partial<R> => {
    const now = new Date();
    assertNotInEffect(before, now);
    if (changes.validFrom !== undefined) assertNotPast(changes.validFrom, now);
    return changes;
  };
  return changeEntry<R>(transaction, entity, { id }, changesOf, naturalKey);
}

/** Returns the deleted rule. Throws NOT_FOUND, STATE_CONFLICT for a rule that is already valid. */
export async function removeRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  id: string,
): Promise<R> {
  assertNotInEffect(await readEntry(transaction, entity, { id }, { mode: 'pessimistic_write' }), new Date());
  return removeEntry(transaction, entity, { id });
}

function assertNotPast(validFrom: Date, now: Date): void {
  if (validFrom >= now) return;
  throw new AppError('VALIDATION_ERROR', 'validFrom: must not be in the past. Omit it for the current time.');
}

/** Charges made by a rule must remain explainable. */
function assertNotInEffect({ validFrom }: Rule, now: Date): void {
  if (validFrom > now) return;
  throw new AppError(
    'STATE_CONFLICT',
    `This rule is valid since ${validFrom.toISOString()} and cannot be changed. Add another rule that replaces it from its start on.`,
  );
}
