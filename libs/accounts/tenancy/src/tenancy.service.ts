import { Injectable } from '@nestjs/common';
import { workspaceChanged, workspaceCreated } from '@heliograph/contracts';
import { clientOf, insertNew, isId, newId, saveUnlessTaken } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { Not, type EntityManager, type Repository } from 'typeorm';
import { Organization } from './organization.entity';
import { checkDisplayName, checkSlug } from './tenancy-rules';
import { Workspace, type WorkspaceStatus } from './workspace.entity';

export interface OrganizationDetails {
  slug: string;
  name: string;
  ipAllowlist: string[];
}

export interface WorkspaceDetails {
  slug: string;
  displayName: string;
  plan: string;
  status: WorkspaceStatus;
  billingCustomer: string | null;
}

export interface Changed<T> {
  before: T;
  after: T;
}

/** Creates and changes organizations and workspaces, for the account API, billing and provisioning. */
@Injectable()
export class TenancyService {
  /** Throws SLUG_TAKEN, VALIDATION_ERROR. */
  async createOrganization(transaction: EntityManager, details: OrganizationDetails): Promise<Organization> {
    check(details.slug, details.name, 'name');
    const repository = transaction.getRepository(Organization);
    const organization = repository.create({ id: newId(), ...details, createdAt: new Date() });
    if (await insertNew(repository, organization)) return organization;
    throw slugTaken(details.slug);
  }

  /** Throws NOT_FOUND, VALIDATION_ERROR. */
  async updateOrganization(
    transaction: EntityManager,
    id: string,
    changes: Partial<Pick<OrganizationDetails, 'name' | 'ipAllowlist'>>,
  ): Promise<Changed<Organization>> {
    if (changes.name !== undefined) checkDisplayName(changes.name, 'name');
    const repository = transaction.getRepository(Organization);
    const before = isId(id) ? await repository.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } }) : null;
    if (!before) throw new AppError('NOT_FOUND', 'Organization not found.');
    const after = repository.create({ ...before, ...changes });
    await repository.save(after);
    return { before, after };
  }

  /** Publishes an event. Throws SLUG_TAKEN, VALIDATION_ERROR. */
  async createWorkspace(
    transaction: EntityManager,
    organizationId: string,
    details: WorkspaceDetails,
    correlationId: string | null,
  ): Promise<Workspace> {
    check(details.slug, details.displayName, 'displayName');
    const repository = transaction.getRepository(Workspace);
    const workspace = repository.create({ id: newId(), organizationId, ...details, createdAt: new Date() });
    if (!(await insertNew(repository, workspace))) {
      throw await takenValue(repository, workspace);
    }
    const event = composeEvent(workspaceCreated, { ...about(workspace, correlationId), data: eventDataOf(workspace) });
    await addToOutbox(await clientOf(transaction), [event]);
    return workspace;
  }

  /** Changes the given properties and publishes an event. Throws NOT_FOUND, SLUG_TAKEN, VALIDATION_ERROR. */
  async updateWorkspace(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    changes: Partial<WorkspaceDetails>,
    correlationId: string | null,
  ): Promise<Changed<Workspace>> {
    if (changes.slug !== undefined) checkSlug(changes.slug);
    if (changes.displayName !== undefined) checkDisplayName(changes.displayName, 'displayName');
    const repository = transaction.getRepository(Workspace);
    const before = isId(id)
      ? await repository.findOne({ where: { organizationId, id }, lock: { mode: 'pessimistic_write' } })
      : null;
    if (!before) throw new AppError('NOT_FOUND', 'Workspace not found.');
    const after = repository.create({ ...before, ...changes });
    if (!(await saveUnlessTaken(repository, before, after))) throw await takenValue(repository, after);
    if (JSON.stringify(eventDataOf(after)) === JSON.stringify(eventDataOf(before))) return { before, after };
    const data = { ...eventDataOf(after), previousPlan: before.plan, previousStatus: before.status };
    await addToOutbox(await clientOf(transaction), [
      composeEvent(workspaceChanged, { ...about(after, correlationId), data }),
    ]);
    return { before, after };
  }

  /**
   * Not restricted to an organization, because events of the payment processor contain only the customer id; the
   * signature of the event authorizes the request.
   */
  workspaceOfCustomerAcrossTenants(transaction: EntityManager, customer: string): Promise<Workspace | null> {
    return transaction.getRepository(Workspace).findOneBy({ billingCustomer: customer });
  }

  /** Updates the organization with this slug, or creates it. */
  async putOrganization(transaction: EntityManager, details: OrganizationDetails): Promise<Organization> {
    const existing = await transaction.getRepository(Organization).findOneBy({ slug: details.slug });
    if (!existing) return this.createOrganization(transaction, details);
    return (await this.updateOrganization(transaction, existing.id, details)).after;
  }

  /** Updates the workspace with this slug, or creates it. Throws if it belongs to another organization. */
  async putWorkspace(
    transaction: EntityManager,
    organizationId: string,
    details: WorkspaceDetails,
  ): Promise<Workspace> {
    const existing = await transaction.getRepository(Workspace).findOneBy({ slug: details.slug });
    if (existing && existing.organizationId !== organizationId) {
      throw new Error(`workspace ${details.slug} belongs to another organization; choose another slug`);
    }
    if (!existing) return this.createWorkspace(transaction, organizationId, details, null);
    // The local stack provisions its file at every start; unchanged workspaces must not publish events.
    const differs = Object.entries(details).some(([name, value]) => existing[name as keyof Workspace] !== value);
    if (!differs) return existing;
    return (await this.updateWorkspace(transaction, organizationId, existing.id, details, null)).after;
  }
}

function check(slug: string, name: string, nameField: string): void {
  checkSlug(slug);
  checkDisplayName(name, nameField);
}

function eventDataOf({ id, slug, displayName, plan, status }: Workspace) {
  return { workspaceId: id, slug, displayName, plan, status };
}

function about({ id, organizationId }: Workspace, correlationId: string | null) {
  return { organizationId, workspaceId: id, correlationId };
}

/** The error of a workspace whose slug or billing customer another workspace has. */
async function takenValue(workspaces: Repository<Workspace>, { id, slug }: Workspace): Promise<AppError> {
  if (await workspaces.existsBy({ slug, id: Not(id) })) return slugTaken(slug);
  return new AppError('NAME_TAKEN', 'This billing customer already pays for another workspace.');
}

function slugTaken(slug: string): AppError {
  return new AppError('SLUG_TAKEN', `The slug "${slug}" is already used. Choose another slug.`);
}
