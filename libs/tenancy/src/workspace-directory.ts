import { Inject, Injectable } from '@nestjs/common';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { DataSource } from 'typeorm';
import { Workspace } from './workspace.entity';

/** Whose workspace is meant: an organization's, or the one that its key is bound to. */
export interface WorkspaceOwner {
  organizationId: string;
  /** Null for a key that is not bound to a workspace. */
  workspaceId: string | null;
}

/** Which workspace pays and sends. Billing soft-locks a workspace: then it does not send, but can be read. */
@Injectable()
export class WorkspaceDirectory {
  private readonly workspaces: CachedLookup<Workspace[]>;

  constructor(@Inject(DataSource) dataSource: DataSource, @Inject(ChangeFeed) changes: ChangeFeed) {
    this.workspaces = new CachedLookup(changes, {
      tables: ['tenancy.workspaces'],
      load: (organizationId) =>
        dataSource.getRepository(Workspace).find({ where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } }),
      organizationOf: (organizationId) => organizationId,
    });
  }

  /** The workspace that sends: the bound one, else the oldest active one. Throws NO_WORKSPACE. */
  async sending(owner: WorkspaceOwner): Promise<Workspace> {
    const workspace = (await this.candidates(owner)).find(({ status }) => status !== 'locked');
    if (workspace) return workspace;
    throw new AppError('NO_WORKSPACE', 'There is no active workspace to send from. Settle its billing or create one.');
  }

  /** The workspace that is read: as `sending`, but a locked one is better than none. Throws NO_WORKSPACE. */
  async reading(owner: WorkspaceOwner): Promise<Workspace> {
    const candidates = await this.candidates(owner);
    const workspace = candidates.find(({ status }) => status !== 'locked') ?? candidates[0];
    if (workspace) return workspace;
    throw new AppError('NO_WORKSPACE', 'The organization has no workspace. Create one first.');
  }

  /** Every workspace that the owner may see into, the oldest first. */
  async all(owner: WorkspaceOwner): Promise<Workspace[]> {
    return this.candidates(owner);
  }

  private async candidates({ organizationId, workspaceId }: WorkspaceOwner): Promise<Workspace[]> {
    const all = await this.workspaces.get(organizationId);
    return workspaceId === null ? all : all.filter(({ id }) => id === workspaceId);
  }
}
