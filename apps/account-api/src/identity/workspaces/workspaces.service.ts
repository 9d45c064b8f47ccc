import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { modeOf, type Mode } from '@heliograph/auth';
import { isId, testIdOf, toPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import {
  TenancyService,
  Workspace,
  type WorkspaceDetails,
  AuditedKind,
  type RecordChange,
  UnitOfWork,
  type Write,
} from '@heliograph/tenancy';
import { MembersService, type LiveSession } from '@heliograph/users';
import { And, Equal, In, MoreThan, Repository } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import type { Access } from '../../access/caller';
import type { PageQuery } from '../../http/page.query';
import { TestOrganizations } from '../../test-mode/test-organizations.service';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import { WorkspaceList } from './workspaces.dto';

/** The audit entry and the response of a change of a workspace. The operator sees more fields than the organization. */
export type WorkspaceAnswer<A extends object> = Omit<RecordChange<Workspace, A>, 'done'>;

export function workspaceAnswer<A extends object>(
  show: (workspace: Workspace) => object,
  answer: (workspace: Workspace) => A,
): WorkspaceAnswer<A> {
  const targetOf = ({ id, organizationId }: Workspace) => ({ id, organizationId, workspaceId: id });
  return { kind: new AuditedKind<Workspace>('workspace', targetOf, show), answer };
}

/** Manages the workspaces of an organization and resolves the workspaces that a caller can access. */
@Injectable()
export class WorkspacesService {
  constructor(
    @InjectRepository(Workspace) private readonly repository: Repository<Workspace>,
    private readonly tenancy: TenancyService,
    private readonly members: MembersService,
    private readonly testOrganizations: TestOrganizations,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Returns the workspaces that the caller can access, sorted by creation time, oldest first. Users can access the
   * workspaces of all their organizations, API keys the workspaces of their organization, and bound keys only their
   * workspace.
   */
  async list({ session, caller }: Access, query: PageQuery): Promise<WorkspaceList> {
    const page = pageOf(query);
    const organizationIds = session
      ? await this.organizationsOf(session.userId, modeOf(caller?.organizationId ?? null))
      : [caller?.organizationId ?? ''];
    const boundTo = caller?.boundWorkspaceId ?? null;
    const ids = [...(boundTo === null ? [] : [Equal(boundTo)]), ...(page.after === null ? [] : [MoreThan(page.after)])];
    const workspaces = await this.repository.find({
      where: { organizationId: In(organizationIds.filter(isId)), ...(ids.length === 0 ? {} : { id: And(...ids) }) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return WorkspaceList.of(toPage(workspaces, page, ({ id }) => id));
  }

  /** The organizations of a user; in test mode, their test twins. */
  async organizationsOf(userId: string, mode: Mode = 'live'): Promise<string[]> {
    const ids = (await this.members.membershipsOf(userId)).map(({ organizationId }) => organizationId);
    return mode === 'live' ? ids : ids.map(testIdOf);
  }

  /** Throws NOT_FOUND if the user has no access to the workspace. */
  async ofUser(userId: string, id: string): Promise<Workspace> {
    const organizationIds = await this.organizationsOf(userId);
    const workspace = isId(id) ? await this.repository.findOneBy({ id, organizationId: In(organizationIds) }) : null;
    if (!workspace)
      throw new AppError(
        'NOT_FOUND',
        'Workspace not found. GET /api/workspaces lists the workspaces that you can access.',
      );
    return workspace;
  }

  /**
   * Resolves the target of a session switch; exactly one of the two ids is given. Throws NOT_FOUND, VALIDATION_ERROR.
   */
  async destinationOf(
    userId: string,
    { organizationId, workspaceId }: { organizationId?: string; workspaceId?: string },
  ): Promise<{ organizationId: string; workspace: Workspace | null }> {
    if ((organizationId === undefined) === (workspaceId === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'workspaceId: send either workspaceId or organizationId, but not both.');
    }
    if (workspaceId !== undefined) {
      const workspace = await this.ofUser(userId, workspaceId);
      return { organizationId: workspace.organizationId, workspace };
    }
    const own = (await this.organizationsOf(userId)).find((id) => id === organizationId?.toLowerCase());
    if (own === undefined) throw new AppError('NOT_FOUND', 'Organization not found. Check organizationId.');
    return { organizationId: own, workspace: (await this.oldestFirst(own))[0] ?? null };
  }

  /** Returns the workspace to which the session was switched, or the oldest workspace of its organization. */
  async currentOf({ userId, organizationId, workspaceId }: LiveSession): Promise<Workspace | null> {
    const organizations = await this.organizationsOf(userId);
    const current = organizations.find((id) => id === organizationId) ?? organizations[0];
    if (current === undefined) return null;
    const workspaces = await this.oldestFirst(current);
    return workspaces.find(({ id }) => id === workspaceId) ?? workspaces[0] ?? null;
  }

  private oldestFirst(organizationId: string): Promise<Workspace[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return this.repository.find({ where: { organizationId }, order });
  }

  create<A extends object>(
    write: Write,
    organizationId: string,
    details: WorkspaceDetails,
    answer: WorkspaceAnswer<A>,
  ): Promise<A> {
    const creates = { organizationId, kind: LIMITED.workspaces };
    return this.unitOfWork.change(write, { ...answer, done: 'created', creates }, async (transaction) => {
      const after = await this.tenancy.createWorkspace(transaction, organizationId, details, write.actor.requestId);
      await this.testOrganizations.extend(transaction, organizationId, write.actor);
      return { after };
    });
  }

  update<A extends object>(
    write: Write,
    { organizationId, id }: Workspace,
    changes: Partial<WorkspaceDetails>,
    answer: WorkspaceAnswer<A>,
  ): Promise<A> {
    return this.unitOfWork.change(write, { ...answer, done: 'changed' }, (transaction) =>
      this.tenancy.updateWorkspace(transaction, organizationId, id, { ...changes }, write.actor.requestId),
    );
  }
}
