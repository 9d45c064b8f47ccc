import { Inject, Injectable } from '@nestjs/common';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { TenancyService, Workspace, type WorkspaceDetails } from '@heliograph/tenancy';
import { MembersService, type LiveSession } from '@heliograph/users';
import { And, DataSource, Equal, In, MoreThan } from 'typeorm';
import type { Access } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import type { WorkspaceRecord } from './workspaces.dto';

/** The workspaces of an organization, and those that a person may enter. */
@Injectable()
export class WorkspacesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(MembersService) private readonly members: MembersService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  /** A person's of all organizations, a key's of its own; a bound key's is one. In the order of their making. */
  async list({ session, caller }: Access, page: Page): Promise<PageOf<Workspace>> {
    const organizationIds = session ? await this.organizationsOf(session.userId) : [caller?.organizationId ?? ''];
    const boundTo = caller?.boundTo ?? null;
    const ids = [...(boundTo === null ? [] : [Equal(boundTo)]), ...(page.after === null ? [] : [MoreThan(page.after)])];
    const workspaces = await this.dataSource.getRepository(Workspace).find({
      where: { organizationId: In(organizationIds.filter(isId)), ...(ids.length === 0 ? {} : { id: And(...ids) }) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return toPage(workspaces, page, ({ id }) => id);
  }

  async organizationsOf(userId: string): Promise<string[]> {
    return (await this.members.membershipsOf(userId)).map(({ organizationId }) => organizationId);
  }

  /** Throws NOT_FOUND for a workspace that the user may not enter. */
  async ofUser(userId: string, id: string): Promise<Workspace> {
    const organizationIds = await this.organizationsOf(userId);
    const workspace = isId(id)
      ? await this.dataSource.getRepository(Workspace).findOneBy({ id, organizationId: In(organizationIds) })
      : null;
    if (!workspace) throw new AppError('NOT_FOUND', 'There is no such workspace.');
    return workspace;
  }

  /** Where a session may be switched to: one of the two is named. Throws NOT_FOUND, VALIDATION_ERROR. */
  async destinationOf(
    userId: string,
    { organizationId, workspaceId }: { organizationId?: string; workspaceId?: string },
  ): Promise<{ organizationId: string; workspace: Workspace | null }> {
    if ((organizationId === undefined) === (workspaceId === undefined)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'workspaceId: name a workspace, or else an organization (organizationId).',
      );
    }
    if (workspaceId !== undefined) {
      const workspace = await this.ofUser(userId, workspaceId);
      return { organizationId: workspace.organizationId, workspace };
    }
    const own = (await this.organizationsOf(userId)).find((id) => id === organizationId?.toLowerCase());
    if (own === undefined) throw new AppError('NOT_FOUND', 'There is no such organization.');
    return { organizationId: own, workspace: (await this.oldestFirst(own))[0] ?? null };
  }

  /** The one that the session was switched to, else the oldest of its organization. */
  async currentOf({ userId, organizationId, workspaceId }: LiveSession): Promise<Workspace | null> {
    const organizations = await this.organizationsOf(userId);
    const current = organizations.find((id) => id === organizationId) ?? organizations[0];
    if (current === undefined) return null;
    const workspaces = await this.oldestFirst(current);
    return workspaces.find(({ id }) => id === workspaceId) ?? workspaces[0] ?? null;
  }

  private oldestFirst(organizationId: string): Promise<Workspace[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return this.dataSource.getRepository(Workspace).find({ where: { organizationId }, order });
  }

  create<R extends WorkspaceRecord>(
    call: WriteCall,
    organizationId: string,
    details: WorkspaceDetails,
    show: (workspace: Workspace) => R,
  ): Promise<R> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const { requestId } = call.actor;
      const workspace = await this.tenancy.createWorkspace(transaction, organizationId, details, requestId);
      await record({ ...about(workspace), action: 'workspace.created', before: null, after: show(workspace) });
      return show(workspace);
    });
  }

  change<R extends WorkspaceRecord>(
    call: WriteCall,
    { organizationId, id }: Workspace,
    changes: Partial<WorkspaceDetails>,
    show: (workspace: Workspace) => R,
  ): Promise<R> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const { requestId } = call.actor;
      const { before, after } = await this.tenancy.updateWorkspace(transaction, organizationId, id, changes, requestId);
      await record({ ...about(after), action: 'workspace.changed', before: show(before), after: show(after) });
      return show(after);
    });
  }
}

function about({ id, organizationId }: Workspace) {
  return { organizationId, workspaceId: id, target: { type: 'workspace', id } };
}
