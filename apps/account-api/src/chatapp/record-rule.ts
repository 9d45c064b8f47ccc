import type { OpenWrite } from '../writes/writes.service';

/** What happened to which kind of rule: `['price', 'created']` is noted as `chatapp.price.created`. */
export type RuleEvent = readonly [kind: 'price' | 'allowance', done: 'created' | 'changed' | 'removed'];

/** Puts on the record what the operator did, which is no organization's business. */
export async function recordRule<R extends { id: string }>(
  { record }: OpenWrite,
  [kind, done]: RuleEvent,
  { before, after }: { before: R | null; after: R | null },
): Promise<void> {
  const id = (after ?? before)?.id;
  if (id === undefined) return;
  const target = { type: `chatapp.${kind}`, id };
  await record({ organizationId: null, action: `chatapp.${kind}.${done}`, target, before, after });
}
