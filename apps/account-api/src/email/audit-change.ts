import type { UnitOfWorkContext } from '../unit-of-work/unit-of-work.service';

export interface AuditedEmailEntry {
  id: string;
  organizationId: string;
}

/** Kind of entry and action: `['sender', 'created']` is audited as `email.sender.created`. */
export type EmailEvent = readonly [kind: 'domain' | 'sender' | 'template', done: string];

/** Audits a write. `before` is null for a creation, `after` is null for a deletion. */
export async function auditChange<E extends AuditedEmailEntry>(
  { audit }: UnitOfWorkContext,
  [kind, done]: EmailEvent,
  { before, after }: { before?: E; after?: E },
  toAuditData: (entry: E) => object,
): Promise<void> {
  const entry = after ?? before;
  if (!entry) return;
  await audit({
    organizationId: entry.organizationId,
    action: `email.${kind}.${done}`,
    target: { type: `email.${kind}`, id: entry.id },
    before: before ? toAuditData(before) : null,
    after: after ? toAuditData(after) : null,
  });
}
