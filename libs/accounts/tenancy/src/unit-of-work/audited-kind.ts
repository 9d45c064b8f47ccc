import type { AuditedWrite } from '../audit/audit-log';

/** Identifies a record in the audit log. */
export interface AuditTarget {
  id: string;
  organizationId: string | null;
  workspaceId?: string | null;
}

/** A kind of record whose changes are audited. */
export class AuditedKind<Entity> {
  constructor(
    /** The type of the target and the prefix of the action: `sms.sender` and `sms.sender.created`. */
    private readonly type: string,
    private readonly targetOf: (entity: Entity) => AuditTarget,
    /** The audited fields of a record. */
    private readonly show: (entity: Entity) => object,
  ) {}

  entryOf(done: string, before: Entity | null, after: Entity | null): AuditedWrite {
    const entity = after ?? before;
    if (entity === null) throw new Error('an audit entry requires a record before or after the change');
    const { id, organizationId, workspaceId = null } = this.targetOf(entity);
    return {
      organizationId,
      workspaceId,
      action: `${this.type}.${done}`,
      target: { type: this.type, id },
      before: before === null ? null : this.show(before),
      after: after === null ? null : this.show(after),
    };
  }
}

/** The target of a record that belongs to an organization. */
export function targetOf({ id, organizationId }: AuditTarget): AuditTarget {
  return { id, organizationId };
}
