import { Injectable } from '@nestjs/common';
import { recordWrite, type Actor, type AuditedWrite } from '../audit/audit-log';
import type { LimitedKind } from '../limits/limited-kind';
import { OrganizationLimits } from '../limits/organization-limits';
import type { Changed } from '@heliograph/database';
import { respondOnce, IdempotencyService, type Claim } from '@heliograph/idempotency';
import { Relay } from '@heliograph/messaging';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuditedKind } from './audited-kind';

/** The actor of a write, and the claim of the Idempotency-Key; `null` if the request has no key. */
export interface Write {
  actor: Actor;
  claim: Claim | null;
}

/** The kind of object that a write creates, and its organization. */
export interface NewObject {
  organizationId: string;
  kind: LimitedKind;
}

/** The open transaction of a write, with its audit log. */
export interface UnitOfWorkContext {
  transaction: EntityManager;
  /** Throws LIMIT_REACHED if the organization has no room for another object. The operator has no limits. */
  assertRoom(created: NewObject): Promise<void>;
  /** Adds an audit entry. */
  audit(entry: AuditedWrite): Promise<void>;
  /** Audits a creation (`after`), an update (both) or a deletion (`before`) of a record. */
  auditChange<Entity>(kind: AuditedKind<Entity>, done: string, changed: Partial<Changed<Entity>>): Promise<void>;
}

/** The options of a change of one record: its audit entry, its limit and its response. */
export interface RecordChange<Entity, Answer extends object> {
  kind: AuditedKind<Entity>;
  /** The performed action, such as `created`. */
  done: string;
  /** The created object, if it counts towards a limit of the organization. Creations by the operator are not limited. */
  creates?: NewObject;
  /** Converts the new state of the record (the last state of a deleted record) to the response. */
  answer(entity: Entity): Answer;
}

/**
 * Runs a write in one transaction together with its audit entry, its events and the stored response for repeated
 * requests with the same Idempotency-Key.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly relay: Relay,
    private readonly limits: OrganizationLimits,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Does a write once for its Idempotency-Key, including what precedes its transaction, such as a call of another service. The
   * work ends with `run` or `change` of the same write.
   */
  once<T extends object>({ claim }: Write, work: () => Promise<T>): Promise<T> {
    return this.idempotency.run(claim, work);
  }

  /** Runs a write. Its result is the response to the request and to repeated requests. */
  run<T extends object>(write: Write, change: (work: UnitOfWorkContext) => Promise<T>): Promise<T> {
    const { actor, claim } = write;
    return this.once(write, async () => {
      const answer = await this.dataSource.transaction((transaction) => {
        const audit = (entry: AuditedWrite) => recordWrite(transaction, actor, entry);
        const auditChange: UnitOfWorkContext['auditChange'] = (kind, done, { before, after }) =>
          audit(kind.entryOf(done, before ?? null, after ?? null));
        const assertRoom = async ({ organizationId, kind }: NewObject): Promise<void> => {
          if (actor.kind !== 'operator') await this.limits.assertRoom(transaction, organizationId, kind);
        };
        return respondOnce(transaction, claim, () => change({ transaction, assertRoom, audit, auditChange }));
      });
      this.relay.wake();
      return answer;
    });
  }

  /** Changes one record, audits the change and returns the response. Throws LIMIT_REACHED for a creation. */
  change<Entity, Answer extends object>(
    write: Write,
    { kind, done, creates, answer }: RecordChange<Entity, Answer>,
    change: (transaction: EntityManager) => Promise<Partial<Changed<Entity>>>,
  ): Promise<Answer> {
    return this.run(write, async ({ transaction, assertRoom, auditChange }) => {
      if (creates) await assertRoom(creates);
      const changed = await change(transaction);
      await auditChange(kind, done, changed);
      const entity = changed.after ?? changed.before;
      if (entity === undefined) throw new Error(`nothing was ${done}`);
      return answer(entity);
    });
  }
}
