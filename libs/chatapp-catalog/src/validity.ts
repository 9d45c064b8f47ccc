import { changeEntry, createEntry, readEntry, removeEntry, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { EntityManager, EntityTarget } from 'typeorm';

/** A rule that holds from a moment on, until the next one of the same kind. */
export interface Rule {
  id: string;
  validFrom: Date;
}

/** For a rule that has no beginning. */
export const ALWAYS = new Date(0);

/** Throws VALIDATION_ERROR for a moment that is past, NAME_TAKEN for one that has such a rule. */
export async function createRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  values: Partial<R>,
  naturalKey: string,
): Promise<R> {
  const now = new Date();
  const validFrom = values.validFrom ?? now;
  refusePast(validFrom, now);
  return createEntry(transaction, entity, { ...values, validFrom }, naturalKey);
}

/** Throws NOT_FOUND, STATE_CONFLICT for a rule that holds already, and as `createRule`. */
export async function changeRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  id: string,
  changes: Partial<R>,
  naturalKey: string,
): Promise<Changed<R>> {
  const changesOf = (before: R): Partial<R> => {
    const now = new Date();
    refuseHistory(before, now);
    if (changes.validFrom !== undefined) refusePast(changes.validFrom, now);
    return changes;
  };
  return changeEntry<R>(transaction, entity, { id }, changesOf, naturalKey);
}

/** Answers what was there. Throws NOT_FOUND, STATE_CONFLICT for a rule that holds already. */
export async function removeRule<R extends Rule>(
  transaction: EntityManager,
  entity: EntityTarget<R>,
  id: string,
): Promise<R> {
  refuseHistory(await readEntry(transaction, entity, { id }, { mode: 'pessimistic_write' }), new Date());
  return removeEntry(transaction, entity, { id });
}

function refusePast(validFrom: Date, now: Date): void {
  if (validFrom >= now) return;
  throw new AppError('VALIDATION_ERROR', 'validFrom: must not be in the past. Leave it out for now.');
}

/** What has been charged by it must stay explainable. */
function refuseHistory({ validFrom }: Rule, now: Date): void {
  if (validFrom > now) return;
  throw new AppError(
    'STATE_CONFLICT',
    `This holds since ${validFrom.toISOString()} and stays as it is. Add another one, which takes its place from then on.`,
  );
}
