import type { UnitOfWorkContext } from '../unit-of-work/unit-of-work.service';

/** Kind of rule and action: `['price', 'created']` is audited as `chatapp.price.created`. */
export type RuleEvent = readonly [kind: 'price' | 'allowance', done: 'created' | 'changed' | 'removed'];

/** Audits an operator action that belongs to no organization. */
export async function auditRule<R extends { id: string }>(
  { audit }: UnitOfWorkContext,
  [kind, done]: RuleEvent,
  { before, after }: { before: R | null; after: R | null },
): Promise<void> {
  const id = (after ?? before)?.id;
  if (id === undefined) return;
  const target = { type: `chatapp.${kind}`, id };
  await audit({ organizationId: null, action: `chatapp.${kind}.${done}`, target, before, after });
}
