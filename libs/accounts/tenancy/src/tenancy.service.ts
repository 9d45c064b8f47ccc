import { Injectable } from '@nestjs/common';
import { workspaceChanged, workspaceCreated } from '@heliograph/contracts';
import { clientOf, insertNew, isId, isTestId, newId, saveUnlessTaken, testIdOf } from '@heliograph/database';
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

/** What was missing of a test twin. */
export interface CreatedTwins {
  /** Whether the twin of the organization was missing. */
  isNew: boolean;
  workspaces: Workspace[];
}

/** Creates and changes organizations and workspaces, for the account API, billing and provisioning. */
@Injectable()
export class TenancyService {
  /** Throws SLUG_TAKEN, VALIDATION_ERROR. */
  async createOrganization(transaction: EntityManager, details: OrganizationDetails): Promise<Organization> {
    check(details.slug, details.name, 'name');
    const repository = transaction.getRepository(Organization);
    const organization = repository.create({ id: newId(), ...details, testOf: null, createdAt: new Date() });
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
    const { name, ipAllowlist } = after;
    await repository.update({ testOf: id }, { name, ipAllowlist });
    return { before, after };
  }

  /**
   * Creates what is missing of the test twin of an organization: the organization, and a twin of each workspace. Concurrent
   * calls wait for each other. Throws NOT_FOUND.
   */
  async createTestOrganization(
    transaction: EntityManager,
    liveId: string,
    correlationId: string | null,
  ): Promise<CreatedTwins> {
    const repository = transaction.getRepository(Organization);
    const live = await repository.findOne({ where: { id: liveId }, lock: { mode: 'pessimistic_write' } });
    if (!live || live.testOf !== null) throw new AppError('NOT_FOUND', 'Organization not found.');
    const id = testIdOf(liveId);
    const isNew = !(await repository.existsBy({ id }));
    if (isNew) {
      const { name, ipAllowlist } = live;
      await repository.insert({ id, slug: testSlugOf(live), name, ipAllowlist, testOf: liveId, createdAt: new Date() });
    }
    const table = transaction.getRepository(Workspace);
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const known = new Set((await table.findBy({ organizationId: id })).map((workspace) => workspace.id));
    const workspaces: Workspace[] = [];
    for (const workspace of await table.find({ where: { organizationId: liveId }, order })) {
      if (known.has(testIdOf(workspace.id))) continue;
      workspaces.push(await this.createTestWorkspace(transaction, workspace, correlationId));
    }
    return { isNew, workspaces };
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
    const workspace = repository.create({
      id: newWorkspaceId(organizationId),
      organizationId,
      ...details,
      createdAt: new Date(),
    });
    if (!(await insertNew(repository, workspace))) {
      throw await takenValue(repository, workspace);
    }
    await publishCreated(transaction, workspace, correlationId);
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

  /** Creates the twin of a workspace in the test twin of its organization. It is never locked for unpaid invoices. */
  private async createTestWorkspace(
    transaction: EntityManager,
    live: Workspace,
    correlationId: string | null,
  ): Promise<Workspace> {
    const repository = transaction.getRepository(Workspace);
    const workspace = repository.create({
      id: testIdOf(live.id),
      organizationId: testIdOf(live.organizationId),
      slug: testSlugOf(live),
      displayName: live.displayName,
      plan: live.plan,
      status: 'active',
      billingCustomer: null,
      createdAt: new Date(),
    });
    await repository.insert(workspace);
    await publishCreated(transaction, workspace, correlationId);
    return workspace;
  }
}

/** The id of a new workspace. Those of test organizations have an id that tells so, like their organization. */
function newWorkspaceId(organizationId: string): string {
  return isTestId(organizationId) ? testIdOf(newId()) : newId();
}

const MAX_SLUG_LENGTH = 63;

/** A unique slug for a twin, because the live one keeps its own. */
function testSlugOf({ id, slug }: { id: string; slug: string }): string {
  const suffix = `-test-${id.slice(-12)}`;
  return slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix;
}

async function publishCreated(
  transaction: EntityManager,
  workspace: Workspace,
  correlationId: string | null,
): Promise<void> {
  const event = composeEvent(workspaceCreated, { ...about(workspace, correlationId), data: eventDataOf(workspace) });
  await addToOutbox(await clientOf(transaction), [event]);
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
