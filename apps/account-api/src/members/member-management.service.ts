import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { MembersService, type NamedMember } from '@heliograph/users';
import type { Caller } from '../access/caller';
import { mayDo, mayGrant } from '../access/permissions';
import { Writes, type WriteCall } from '../writes/writes.service';
import { MemberRecord } from './members.dto';

/** An organization's people, as its people manage them: nobody above their own role, and on the record. */
@Injectable()
export class MemberManagementService {
  constructor(
    @Inject(MembersService) private readonly members: MembersService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<NamedMember>> {
    return this.members.list(organizationId, page);
  }

  one({ organizationId }: Caller, userId: string): Promise<NamedMember> {
    return this.members.memberOf(organizationId, userId);
  }

  changeRole(call: WriteCall, caller: Caller, userId: string, role: Role): Promise<MemberRecord> {
    const { organizationId } = caller;
    return this.writes.run(call, async ({ transaction, record }) => {
      const { before, after } = await this.members.changeRole(transaction, organizationId, userId, role);
      if (before.role !== role) refuseAbove(caller, before.role, role);
      const changed = MemberRecord.of(after);
      await record({
        organizationId,
        action: 'member.changed',
        target: { type: 'member', id: after.userId },
        before: MemberRecord.of(before),
        after: changed,
      });
      return changed;
    });
  }

  /** Everybody may leave; others are removed by those who may. */
  remove(call: WriteCall, caller: Caller, userId: string): Promise<object> {
    const { organizationId, actor } = caller;
    const leaves = actor.kind === 'user' && actor.id === userId.toLowerCase();
    if (!leaves && !mayDo(caller.role, 'members:write')) {
      throw new AppError('FORBIDDEN', `The role ${caller.role} may not remove others. Ask an owner or admin.`);
    }
    return this.writes.run(call, async ({ transaction, record }) => {
      const member = await this.members.remove(transaction, organizationId, userId);
      if (!leaves) refuseAbove(caller, member.role);
      await record({
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

/** Only an owner makes and unmakes owners. Thrown within the transaction, it takes back what was written. */
function refuseAbove({ role }: Caller, ...concerned: Role[]): void {
  if (concerned.every((one) => mayGrant(role, one))) return;
  throw new AppError('FORBIDDEN', `The role ${role} may not make, change or remove an owner. Ask an owner.`);
}
