import { Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import { MembersService, type NamedMember } from '@heliograph/users';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { canGrantRole, hasPermission } from '../../access/permissions';
import type { PageQuery } from '../../http/page.query';
import { MemberList, MemberRecord, OneMember } from './members.dto';

export const MEMBER = new AuditedKind<NamedMember>(
  'member',
  ({ userId: id, organizationId }) => ({ id, organizationId }),
  MemberRecord.of,
);

/** Manages the members of an organization. Callers are limited to their own role; each write is audited. */
@Injectable()
export class MemberManagementService {
  constructor(
    private readonly members: MembersService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: PageQuery): Promise<MemberList> {
    return MemberList.of(await this.members.list(organizationId, pageOf(query)));
  }

  async get({ organizationId }: Caller, userId: string): Promise<OneMember> {
    return OneMember.of(await this.members.memberOf(organizationId, userId));
  }

  changeRole(write: Write, caller: Caller, userId: string, role: Role): Promise<OneMember> {
    const changed = { kind: MEMBER, done: 'changed', answer: OneMember.of };
    return this.unitOfWork.change(write, changed, async (transaction) => {
      const change = await this.members.changeRole(transaction, caller.organizationId, userId, role);
      if (change.before.role !== role) refuseAbove(caller, change.before.role, role);
      return change;
    });
  }

  /** Removes a member. Every member may leave; the removal of other members requires a permission. The response is empty. */
  remove(write: Write, caller: Caller, userId: string): Promise<object> {
    const { organizationId, actor } = caller;
    const leaves = actor.kind === 'user' && actor.id === userId.toLowerCase();
    const removed = { kind: MEMBER, done: leaves ? 'left' : 'removed', answer: () => ({}) };
    return this.unitOfWork.change(write, removed, async (transaction) => {
      if (!leaves && !hasPermission(caller.role, 'members:write')) {
        throw new AppError('FORBIDDEN', `The role ${caller.role} may not remove members. Ask an owner or admin.`);
      }
      const before = await this.members.remove(transaction, organizationId, userId);
      if (!leaves) refuseAbove(caller, before.role);
      return { before };
    });
  }
}

/** Only owners may grant or remove the owner role. Throws within the transaction, so that the write is rolled back. */
function refuseAbove({ role }: Caller, ...concerned: Role[]): void {
  if (concerned.every((one) => canGrantRole(role, one))) return;
  throw new AppError('FORBIDDEN', `The role ${role} may not add, change or remove an owner. Ask an owner.`);
}
