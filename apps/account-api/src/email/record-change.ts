import type { OpenWrite } from '../writes/writes.service';

export interface EmailEntry {
  id: string;
  organizationId: string;
}

/** What happened to which kind of entry: `['sender', 'created']` is noted as `email.sender.created`. */
export type EmailEvent = readonly [kind: 'domain' | 'sender' | 'template', done: string];

/** Puts a write on the record: nothing before for what was made, nothing after for what was removed. */
export async function recordChange<E extends EmailEntry>(
  { record }: OpenWrite,
  [kind, done]: EmailEvent,
  { before, after }: { before?: E; after?: E },
  noted: (entry: E) => object,
): Promise<void> {
  const entry = after ?? before;
  if (!entry) return;
  await record({
    organizationId: entry.organizationId,
    action: `email.${kind}.${done}`,
    target: { type: `email.${kind}`, id: entry.id },
    before: before ? noted(before) : null,
    after: after ? noted(after) : null,
  });
}
