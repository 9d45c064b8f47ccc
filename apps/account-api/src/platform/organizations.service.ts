import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, generateKey } from '@heliograph/auth';
import { adjust, listEntries, topUp } from '@heliograph/credits';
import { clientOf, isId, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Organization, TenancyService, Workspace } from '@heliograph/tenancy';
import { MembersService, UsersService } from '@heliograph/users';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { KeyRecord, type NewKey } from '../api-keys/api-keys.dto';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
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

/** What the platform operator does for organizations, before they can help themselves and beyond what they may. */
@Injectable()
export class OrganizationsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TenancyService) private readonly tenancy: TenancyService,
    @Inject(WorkspacesService) private readonly ownWorkspaces: WorkspacesService,
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(MembersService) private readonly members: MembersService,
    @Inject(ApiKeysService) private readonly keys: ApiKeysService,
    @Inject(Writes) private readonly writes: Writes,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
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
    if (!organization) throw new AppError('NOT_FOUND', 'There is no such organization.');
    return organization;
  }

  create(call: WriteCall, { slug, name }: CreateOrganizationRequest): Promise<OrganizationAnswer> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const made = await this.tenancy.createOrganization(transaction, { slug, name, ipAllowlist: [] });
      const answer = OrganizationAnswer.of(made);
      await record({
        organizationId: made.id,
        action: 'organization.created',
        target: { type: 'organization', id: made.id },
        before: null,
        after: answer,
      });
      return answer;
    });
  }

  /** Somebody who has an account keeps its name and password. Throws NOT_FOUND, ALREADY_MEMBER, VALIDATION_ERROR. */
  addUser(call: WriteCall, organizationId: string, asked: AddUserRequest): Promise<AddedUser> {
    return this.writes.run(call, async ({ transaction, record }) => {
      await this.organization(organizationId, transaction);
      const { email, role, name = '', password = '' } = asked;
      const existing = await this.users.byEmail(email.trim(), transaction);
      const user = existing ?? (await this.users.createUser(transaction, { email, name, password }));
      const memberships = existing ? await this.members.membershipsOf(existing.id) : [];
      if (memberships.some((member) => member.organizationId === organizationId)) {
        throw new AppError('ALREADY_MEMBER', `${user.email} is a member already.`);
      }
      await this.members.put(transaction, organizationId, user.id, role);
      const added = { userId: user.id, email: user.email, name: user.name, role };
      await record({
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

  /** Throws NOT_FOUND, SLUG_TAKEN, NAME_TAKEN for a billing customer that pays for another workspace. */
  async addWorkspace(call: WriteCall, organizationId: string, asked: AddWorkspaceRequest): Promise<OperatorWorkspace> {
    const { id } = await this.organization(organizationId);
    return this.ownWorkspaces.create(call, id, { ...asked }, (made) => OperatorWorkspace.of(made));
  }

  /** Throws NOT_FOUND. */
  async workspaceAcrossTenants(id: string, manager: EntityManager = this.dataSource.manager): Promise<Workspace> {
    const workspace = isId(id) ? await manager.getRepository(Workspace).findOneBy({ id }) : null;
    if (!workspace) throw new AppError('NOT_FOUND', 'There is no such workspace.');
    return workspace;
  }

  /** Throws NOT_FOUND, SLUG_TAKEN, NAME_TAKEN. */
  async setWorkspace(call: WriteCall, id: string, changes: SetWorkspaceRequest): Promise<OperatorWorkspace> {
    const workspace = await this.workspaceAcrossTenants(id);
    return this.ownWorkspaces.change(call, workspace, { ...changes }, (changed) => OperatorWorkspace.of(changed));
  }

  /** Throws NOT_FOUND, INSUFFICIENT_CREDITS when more would be taken than there is, STATE_CONFLICT. */
  grant(call: WriteCall, workspaceId: string, asked: GrantRequest): Promise<Granted> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const { id, organizationId } = await this.workspaceAcrossTenants(workspaceId, transaction);
      const { creditType, amount, note } = asked;
      const reference = `operator:${id}:${asked.reference ?? newId()}`;
      const client = clientOf(transaction);
      await refuseOtherMovement(client, id, reference, asked);
      const correlationId = call.actor.requestId;
      const move = amount > 0 ? topUp : adjust;
      const movement = { organizationId, workspaceId: id, creditType, amount, reference, correlationId };
      const { outcome, balance } = await move(client, movement);
      if (outcome === 'insufficient') {
        throw new AppError('INSUFFICIENT_CREDITS', `The workspace has ${balance} ${creditType} credits. Take fewer.`);
      }
      const repeated = outcome === 'repeated';
      const granted = { workspaceId: id, creditType, amount, reference, balance, repeated };
      if (!repeated) {
        await record({
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
  createKey(call: WriteCall, asked: OperatorKeyRequest): Promise<NewKey> {
    const secret = generateKey(this.settings.KEY_PREFIX);
    const create = async ({ transaction, record }: OpenWrite): Promise<NewKey> => {
      const { organizationId, ...settings } = asked;
      if (organizationId !== null) await this.organization(organizationId, transaction);
      const expiresAt = settings.expiresAt === null ? null : new Date(settings.expiresAt);
      const key = await this.keys.create(transaction, organizationId, { ...settings, expiresAt }, secret);
      await record({
        organizationId,
        workspaceId: key.workspaceId,
        action: 'apikey.created',
        target: { type: 'apikey', id: key.id },
        before: null,
        after: KeyRecord.of(key),
      });
      return { apiKey: KeyRecord.of(key), key: secret };
    };
    return this.writes.run(call, create, { sealed: true });
  }
}

/** A reference names one movement. Throws STATE_CONFLICT where it named another one. */
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
    `This reference stands for ${earlier.amount} ${earlier.creditType} credits already. Use another one.`,
  );
}
