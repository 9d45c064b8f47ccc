import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, generateKey } from '@heliograph/auth';
import { adjust, listEntries, topUp } from '@heliograph/credits';
import { clientOf, isId, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService, Workspace } from '@heliograph/tenancy';
import { MembersService, UsersService } from '@heliograph/users';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from '../account-api.config';
import { KeyRecord, type NewKey } from '../api-keys/api-keys.dto';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  OperatorWorkspace,
  OrganizationAnswer,
  type AddedUser,
  type AddUserRequest,
  type AddWorkspaceRequest,
  type CreateOrganizationRequest,
  type Granted,
  type GrantRequest,
  type OperatorKeyRequest,
  type SetWorkspaceRequest,
} from './platform.dto';

/** Organization management by the operator, including actions that organizations cannot perform themselves. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tenancy: TenancyService,
    private readonly ownWorkspaces: WorkspacesService,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly keys: ApiKeysService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ACCOUNT_API_CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async listAcrossTenants(page: Page): Promise<PageOf<Organization>> {
    const organizations = await this.dataSource.getRepository(Organization).find({
      where: page.after === null ? {} : { id: MoreThan(page.after) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return toPage(organizations, page, ({ id }) => id);
  }

  /** Throws NOT_FOUND. */
  async organization(id: string, manager: EntityManager = this.dataSource.manager): Promise<Organization> {
    const organization = isId(id) ? await manager.getRepository(Organization).findOneBy({ id }) : null;
    if (!organization) throw new AppError('NOT_FOUND', 'Organization not found.');
    return organization;
  }

  create(write: WriteRequest, { slug, name }: CreateOrganizationRequest): Promise<OrganizationAnswer> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const created = await this.tenancy.createOrganization(transaction, { slug, name, ipAllowlist: [] });
      const response = OrganizationAnswer.of(created);
      await audit({
        organizationId: created.id,
        action: 'organization.created',
        target: { type: 'organization', id: created.id },
        before: null,
        after: response,
      });
      return response;
    });
  }

  /** An existing user keeps the name and password. Throws NOT_FOUND, ALREADY_MEMBER, VALIDATION_ERROR. */
  addUser(write: WriteRequest, organizationId: string, body: AddUserRequest): Promise<AddedUser> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      await this.organization(organizationId, transaction);
      const { email, role, name = '', password = '' } = body;
      const existing = await this.users.byEmail(email.trim(), transaction);
      const user = existing ?? (await this.users.createUser(transaction, { email, name, password }));
      const memberships = existing ? await this.members.membershipsOf(existing.id) : [];
      if (memberships.some((member) => member.organizationId === organizationId)) {
        throw new AppError('ALREADY_MEMBER', `${user.email} is already a member of the organization.`);
      }
      await this.members.put(transaction, organizationId, user.id, role);
      const added = { userId: user.id, email: user.email, name: user.name, role };
      await audit({
        organizationId,
        action: 'member.added',
        target: { type: 'member', id: user.id },
        before: null,
        after: added,
      });
      return added;
    });
  }

  async workspaces(organizationId: string, page: Page): Promise<PageOf<Workspace>> {
    const { id } = await this.organization(organizationId);
    const workspaces = await this.dataSource.getRepository(Workspace).find({
      where: { organizationId: id, ...(page.after === null ? {} : { id: MoreThan(page.after) }) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return toPage(workspaces, page, (workspace) => workspace.id);
  }

  /** Throws NOT_FOUND, SLUG_TAKEN, and NAME_TAKEN if the billing customer pays for another workspace. */
  async addWorkspace(
    write: WriteRequest,
    organizationId: string,
    body: AddWorkspaceRequest,
  ): Promise<OperatorWorkspace> {
    const { id } = await this.organization(organizationId);
    return this.ownWorkspaces.create(write, id, { ...body }, (created) => OperatorWorkspace.of(created));
  }

  /** Throws NOT_FOUND. */
  async workspaceAcrossTenants(id: string, manager: EntityManager = this.dataSource.manager): Promise<Workspace> {
    const workspace = isId(id) ? await manager.getRepository(Workspace).findOneBy({ id }) : null;
    if (!workspace) throw new AppError('NOT_FOUND', 'Workspace not found.');
    return workspace;
  }

  /** Throws NOT_FOUND, SLUG_TAKEN, NAME_TAKEN. */
  async setWorkspace(write: WriteRequest, id: string, changes: SetWorkspaceRequest): Promise<OperatorWorkspace> {
    const workspace = await this.workspaceAcrossTenants(id);
    return this.ownWorkspaces.update(write, workspace, { ...changes }, (changed) => OperatorWorkspace.of(changed));
  }

  /** Throws NOT_FOUND, STATE_CONFLICT, and INSUFFICIENT_CREDITS if the balance is smaller than the removed amount. */
  grant(write: WriteRequest, workspaceId: string, body: GrantRequest): Promise<Granted> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const { id, organizationId } = await this.workspaceAcrossTenants(workspaceId, transaction);
      const { creditType, amount, note } = body;
      const reference = `operator:${id}:${body.reference ?? newId()}`;
      const client = await clientOf(transaction);
      await refuseOtherMovement(client, id, reference, body);
      const correlationId = write.actor.requestId;
      const move = amount > 0 ? topUp : adjust;
      const movement = { organizationId, workspaceId: id, creditType, amount, reference, correlationId };
      const { outcome, balance } = await move(client, movement);
      if (outcome === 'insufficient') {
        throw new AppError(
          'INSUFFICIENT_CREDITS',
          `The workspace has only ${balance} ${creditType} credits. Remove fewer.`,
        );
      }
      const repeated = outcome === 'repeated';
      const granted = { workspaceId: id, creditType, amount, reference, balance, repeated };
      if (!repeated) {
        await audit({
          organizationId,
          workspaceId: id,
          action: amount > 0 ? 'credits.granted' : 'credits.adjusted',
          target: { type: 'workspace', id },
          before: null,
          after: { ...granted, note: note ?? null },
        });
      }
      return granted;
    });
  }

  /** Throws NOT_FOUND, NAME_TAKEN, VALIDATION_ERROR. */
  createKey(write: WriteRequest, body: OperatorKeyRequest): Promise<NewKey> {
    const secret = generateKey(this.config.KEY_PREFIX);
    const create = async ({ transaction, audit }: UnitOfWorkContext): Promise<NewKey> => {
      const { organizationId, ...settings } = body;
      if (organizationId !== null) await this.organization(organizationId, transaction);
      const expiresAt = settings.expiresAt === null ? null : new Date(settings.expiresAt);
      const key = await this.keys.create(transaction, organizationId, { ...settings, expiresAt }, secret);
      await audit({
        organizationId,
        workspaceId: key.workspaceId,
        action: 'apikey.created',
        target: { type: 'apikey', id: key.id },
        before: null,
        after: KeyRecord.of(key),
      });
      return { apiKey: KeyRecord.of(key), key: secret };
    };
    return this.unitOfWork.run(write, create, { sealed: true });
  }
}

/** A reference identifies one movement. Throws STATE_CONFLICT if it was used for a different one. */
async function refuseOtherMovement(
  client: Parameters<typeof listEntries>[0],
  workspaceId: string,
  reference: string,
  { creditType, amount }: GrantRequest,
): Promise<void> {
  const { items } = await listEntries(client, workspaceId, { reference }, { limit: 1, after: null });
  const [earlier] = items;
  if (!earlier || (earlier.creditType === creditType && earlier.amount === amount)) return;
  throw new AppError(
    'STATE_CONFLICT',
    `This reference was already used for ${earlier.amount} ${earlier.creditType} credits. Use another reference.`,
  );
}
