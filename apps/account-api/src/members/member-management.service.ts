import { Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { MembersService, type NamedMember } from '@heliograph/users';
import type { Caller } from '../access/caller';
import { hasPermission, canGrantRole } from '../access/permissions';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { MemberRecord } from './members.dto';

/** Manages the members of an organization. Callers are limited to their own role; each write is audited. */
@Injectable()
export class MemberManagementService {
  constructor(
    private readonly members: MembersService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<NamedMember>> {
    return this.members.list(organizationId, page);
  }

  get({ organizationId }: Caller, userId: string): Promise<NamedMember> {
    return this.members.memberOf(organizationId, userId);
  }

  changeRole(write: WriteRequest, caller: Caller, userId: string, role: Role): Promise<MemberRecord> {
    const { organizationId } = caller;
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { before, after } = await this.members.changeRole(transaction, organizationId, userId, role);
      if (before.role !== role) refuseAbove(caller, before.role, role);
      const changed = MemberRecord.of(after);
      await audit({
        organizationId,
        action: 'member.changed',
        target: { type: 'member', id: after.userId },
        before: MemberRecord.of(before),
        after: changed,
      });
      return changed;
    });
  }

  /** Every member may leave; removing others requires a permission. */
  remove(write: WriteRequest, caller: Caller, userId: string): Promise<object> {
    const { organizationId, actor } = caller;
    const leaves = actor.kind === 'user' && actor.id === userId.toLowerCase();
    if (!leaves && !hasPermission(caller.role, 'members:write')) {
      throw new AppError('FORBIDDEN', `The role ${caller.role} may not remove members. Ask an owner or admin.`);
    }
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const member = await this.members.remove(transaction, organizationId, userId);
      if (!leaves) refuseAbove(caller, member.role);
      await audit({
        organizationId,
        action: leaves ? 'member.left' : 'member.removed',
        target: { type: 'member', id: member.userId },
        before: MemberRecord.of(member),
        after: null,
      });
      return {};
    });
  }
}

/** Only owners may grant or remove the owner role. Throws within the transaction, so that the write is rolled back. */
function refuseAbove({ role }: Caller, ...concerned: Role[]): void {
  if (concerned.every((one) => canGrantRole(role, one))) return;
  throw new AppError('FORBIDDEN', `The role ${role} may not add, change or remove an owner. Ask an owner.`);
}
