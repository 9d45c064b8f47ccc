import { newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { Between, LessThan, LessThanOrEqual, MoreThanOrEqual, type EntityManager, type FindOperator } from 'typeorm';
import { AuditEntry, type ActorKind } from './audit-entry.entity';

const MAX_USER_AGENT_LENGTH = 500;

/** The actor of a write and the origin of the request. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  name: string;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export interface AuditedWrite {
  organizationId: string | null;
  workspaceId?: string | null;
  action: string;
  target: { type: string; id: string };
  before: object | null;
  after: object | null;
}

/**
 * Adds an audit entry within the transaction of the write. For updates, only the changed properties are stored; an
 * update without changes adds no entry.
 */
export async function recordWrite(transaction: EntityManager, actor: Actor, write: AuditedWrite): Promise<void> {
  const { before, after } = write.before && write.after ? differing(write.before, write.after) : write;
  if (write.before && after && Object.keys(after).length === 0) return;
  await transaction.getRepository(AuditEntry).insert({
    id: newId(),
    organizationId: write.organizationId,
    workspaceId: write.workspaceId ?? null,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    action: write.action,
    targetType: write.target.type,
    targetId: write.target.id,
    before,
    after,
    ipAddress: actor.ipAddress,
    userAgent: actor.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null,
    requestId: actor.requestId,
    createdAt: new Date(),
  });
}

function differing(before: object, after: object): { before: object; after: object } {
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  );
  const pick = (from: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return { before: pick(old), after: pick(now) };
}

export interface AuditFilter {
  action?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Audit entries of an organization, newest first. */
export async function listWrites(
  manager: EntityManager,
  organizationId: string,
  { action, actorId, targetId, from, to }: AuditFilter,
  page: Page,
): Promise<PageOf<AuditEntry>> {
  const entries = await manager.getRepository(AuditEntry).find({
    where: {
      organizationId,
      ...(action === undefined ? {} : { action }),
      ...(actorId === undefined ? {} : { actorId }),
      ...(targetId === undefined ? {} : { targetId }),
      ...(from || to ? { createdAt: within(from, to) } : {}),
      ...(page.after === null ? {} : { id: LessThan(page.after) }),
    },
    order: { id: 'DESC' },
    take: page.limit + 1,
  });
  return toPage(entries, page, ({ id }) => id);
}

function within(from: Date | undefined, to: Date | undefined): FindOperator<Date> {
  if (from && to) return Between(from, to);
  return from ? MoreThanOrEqual(from) : LessThanOrEqual(to ?? new Date());
}
