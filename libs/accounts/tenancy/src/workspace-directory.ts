import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { AppError, notFound } from '@heliograph/errors';
import { Repository } from 'typeorm';
import { Workspace } from './workspace.entity';

/** Identifies the workspace of a request: by its organization, or by the workspace that the key is bound to. */
export interface WorkspaceOwner {
  organizationId: string;
  /** Null for a key that is not bound to a workspace. */
  workspaceId: string | null;
}

/** Selects the workspace that sends and pays. Workspaces that billing locked cannot send but remain readable. */
@Injectable()
export class WorkspaceDirectory {
  private readonly workspaces: CachedLookup<Workspace[]>;

  constructor(@InjectRepository(Workspace) table: Repository<Workspace>, changes: ChangeFeed) {
    this.workspaces = new CachedLookup(changes, {
      tables: ['tenancy.workspaces'],
      load: (organizationId) => table.find({ where: { organizationId }, order: { createdAt: 'ASC', id: 'ASC' } }),
      organizationOf: (organizationId) => organizationId,
      // Without a workspace that can send, sends are refused.
      isCached: (workspaces) => workspaces.some(({ status }) => status !== 'locked'),
    });
  }

  /** The workspace for sending: the bound one, or the oldest active one. Throws NO_WORKSPACE. */
  async sending(owner: WorkspaceOwner): Promise<Workspace> {
    const workspace = (await this.candidates(owner)).find(({ status }) => status !== 'locked');
    if (workspace) return workspace;
    throw new AppError(
      'NO_WORKSPACE',
      'No active workspace is available for sending. Pay the open invoices or create a workspace.',
    );
  }

  /** The workspace for reading: like `sending`, but falls back to a locked workspace. Throws NO_WORKSPACE. */
  async reading(owner: WorkspaceOwner): Promise<Workspace> {
    const workspace = await this.find(owner);
    if (workspace) return workspace;
    throw new AppError('NO_WORKSPACE', 'The organization has no workspace. Create one first.');
  }

  /** Like `reading`, but returns null if the organization has no workspace. */
  find(owner: WorkspaceOwner): Promise<Workspace | null> {
    return this.findChosen(owner, null);
  }

  /** Like `find`, for the workspace that a request names. Returns null if the caller cannot use it. */
  async findChosen(owner: WorkspaceOwner, named: string | null | undefined): Promise<Workspace | null> {
    const all = await this.candidates(owner);
    const candidates = named ? all.filter(({ id }) => id === named.toLowerCase()) : all;
    return candidates.find(({ status }) => status !== 'locked') ?? candidates[0] ?? null;
  }

  /** All workspaces that the key can read, oldest first. */
  async all(owner: WorkspaceOwner): Promise<Workspace[]> {
    return this.candidates(owner);
  }

  /**
   * The id of the workspace that a request names, otherwise that of a bound key; null for neither. `named` may be of any form. Throws
   * NOT_FOUND for a workspace that does not exist or that the caller cannot use.
   */
  async chosen(owner: WorkspaceOwner, named: string | null | undefined): Promise<string | null> {
    if (named === null || named === undefined) return owner.workspaceId;
    const found = (await this.candidates(owner)).find(({ id }) => id === named.toLowerCase());
    if (!found) throw notFound('workspace');
    return found.id;
  }

  private async candidates({ organizationId, workspaceId }: WorkspaceOwner): Promise<Workspace[]> {
    const all = await this.workspaces.get(organizationId);
    return workspaceId === null ? all : all.filter(({ id }) => id === workspaceId);
  }
}
