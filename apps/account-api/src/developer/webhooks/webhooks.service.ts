import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  changeEntry,
  clientOf,
  createEntry,
  given,
  isId,
  isTestId,
  newId,
  removeEntry,
  testIdOf,
  toPage,
} from '@heliograph/database';
import { CONFIG, v1List, v1NotFound, pageOf, type V1List } from '@heliograph/service-kit';
import { Workspace, WorkspaceDirectory, type WorkspaceOwner, UnitOfWork, type Write } from '@heliograph/tenancy';
import {
  API_VERSION,
  CLEAN_SLATE,
  Clock,
  DeliveriesRepository,
  generateSecret,
  PREVIOUS_WEBHOOK_SECRET,
  Subscription,
  WEBHOOK_SECRET,
} from '@heliograph/webhooks';
import { In, LessThan, Repository, type EntityManager } from 'typeorm';
import type { Caller } from '../../access/caller';
import { workspaceLocked } from '../../access/permissions';
import type { AccountApiConfig } from '../../account-api.config';
import { organizationIn, organizationsOf } from '../../test-mode/organization-in';
import { TestOrganizations } from '../../test-mode/test-organizations.service';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import { EndpointCheck } from './endpoint-check.service';
import { WEBHOOK } from './webhook-audit';
import {
  V1Webhook,
  type V1NewWebhook,
  type V1WebhookChanges,
  type V1WebhookRequest,
  type V1WebhooksQuery,
} from './webhooks.dto';

/** Time after a rotation during which deliveries are also signed with the previous secret. */
const OVERLAP_MS = 24 * 3_600_000;

/** Manages the webhooks of an organization; each write is audited. */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointCheck,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly workspaces: WorkspaceDirectory,
    private readonly testOrganizations: TestOrganizations,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /** Throws INVALID_REQUEST, INVALID_URL, NOT_FOUND, LIMIT_REACHED. */
  create(write: Write, caller: Caller, request: V1WebhookRequest): Promise<V1NewWebhook> {
    return this.unitOfWork.once(write, async () => {
      const organizationId = organizationIn(caller, request.mode ?? undefined);
      if (organizationId !== caller.organizationId) {
        await this.testOrganizations.idOf(caller.organizationId, write.actor);
      }
      const workspaceId = await this.workspaceIn(caller, organizationId, request.workspace_id);
      const url = await this.endpoints.check(request.url);
      const id = newId();
      const secret = generateSecret();
      const creates = { organizationId, kind: LIMITED.webhooks };
      const answer = (after: Subscription): V1NewWebhook => ({ ...V1Webhook.of(after), secret });
      return this.unitOfWork.change(write, { kind: WEBHOOK, done: 'created', creates, answer }, async (transaction) => {
        await assertWorkspace(transaction, organizationId, workspaceId);
        const now = new Date();
        const values: Omit<Subscription, 'openUntil' | 'claimedAt' | 'leasedBy' | 'leasedUntil'> = {
          id,
          organizationId,
          url,
          events: request.events,
          description: request.description ?? null,
          workspaceId,
          headers: request.headers ?? {},
          active: request.active ?? true,
          apiVersion: API_VERSION,
          secret: WEBHOOK_SECRET.seal(this.config.SECRETS_KEYS, id, secret),
          previousSecret: null,
          previousSecretUntil: null,
          ...CLEAN_SLATE,
          createdAt: now,
          updatedAt: now,
        };
        return { after: await createEntry(transaction, Subscription, values) };
      });
    });
  }

  /** Newest first. Throws NOT_FOUND. */
  async list(caller: Caller, query: V1WebhooksQuery): Promise<V1List<V1Webhook>> {
    const organizationId = organizationIn(caller, query.mode);
    const workspaceId = await this.workspaceIn(caller, organizationId, query.workspace_id);
    const page = pageOf(query);
    const rows = await this.subscriptions.find({
      where: {
        organizationId,
        ...(workspaceId ? { workspaceId } : {}),
        ...(page.after === null ? {} : { id: LessThan(page.after) }),
      },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return v1List(
      toPage(rows, page, ({ id }) => id),
      V1Webhook.of,
    );
  }

  /** Throws NOT_FOUND. */
  async get(caller: Caller, id: string): Promise<V1Webhook> {
    return V1Webhook.of(await this.read(caller, id));
  }

  /** Live callers also manage the webhooks of test mode. Throws NOT_FOUND. */
  async read(caller: Caller, id: string): Promise<Subscription> {
    const found = isId(id)
      ? await this.subscriptions.findOneBy({ id, organizationId: In(organizationsOf(caller)) })
      : null;
    const bound = found && boundWorkspaceIn(caller, found.organizationId);
    if (!found || (bound !== null && found.workspaceId !== bound)) throw v1NotFound('webhook');
    return found;
  }

  /** Throws NOT_FOUND, INVALID_REQUEST, INVALID_URL. */
  async change(write: Write, caller: Caller, id: string, request: V1WebhookChanges): Promise<V1Webhook> {
    const { organizationId } = await this.read(caller, id);
    // Null makes it a webhook of the whole organization; without the field, its workspace stays as it is.
    const chosen = await this.workspaceIn(caller, organizationId, request.workspace_id);
    const workspaceId = request.workspace_id === undefined ? (chosen ?? undefined) : chosen;
    const url = typeof request.url === 'string' ? await this.endpoints.check(request.url) : undefined;
    const changes = given({
      url,
      events: request.events ?? undefined,
      description: request.description,
      workspaceId,
      headers: request.headers ?? undefined,
      active: request.active ?? undefined,
      updatedAt: new Date(),
    });
    const done = { kind: WEBHOOK, done: 'updated', answer: V1Webhook.of };
    return this.unitOfWork.change(write, done, async (transaction) => {
      await assertWorkspace(transaction, organizationId, workspaceId);
      const changed = await changeEntry(transaction, Subscription, { organizationId, id }, () => ({
        ...changes,
        ...(request.active ? CLEAN_SLATE : {}),
      }));
      if (request.active === false) await this.deliveries.endPending(await clientOf(transaction), id);
      return changed;
    });
  }

  /** Throws NOT_FOUND. */
  async remove(write: Write, caller: Caller, id: string): Promise<void> {
    const { organizationId } = await this.read(caller, id);
    await this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
      const before = await removeEntry(transaction, Subscription, { organizationId, id });
      await this.deliveries.endPending(await clientOf(transaction), id);
      await auditChange(WEBHOOK, 'deleted', { before });
      return {};
    });
  }

  /** Throws NOT_FOUND. */
  rotateSecret(write: Write, caller: Caller, id: string): Promise<V1NewWebhook> {
    return this.unitOfWork.once(write, async () => {
      const { organizationId } = await this.read(caller, id);
      const keys = this.config.SECRETS_KEYS;
      const secret = generateSecret();
      const answer = (after: Subscription): V1NewWebhook => ({ ...V1Webhook.of(after), secret });
      return this.unitOfWork.change(write, { kind: WEBHOOK, done: 'rotated', answer }, (transaction) =>
        changeEntry(transaction, Subscription, { organizationId, id }, (before) => ({
          secret: WEBHOOK_SECRET.seal(keys, id, secret),
          previousSecret: PREVIOUS_WEBHOOK_SECRET.seal(keys, id, WEBHOOK_SECRET.open(keys, id, before.secret)),
          previousSecretUntil: new Date(this.clock.now().getTime() + OVERLAP_MS),
          updatedAt: new Date(),
        })),
      );
    });
  }

  /** The id of the workspace that a request names, or that a bound key has; null for neither. Throws NOT_FOUND. */
  private workspaceIn(
    caller: Caller,
    organizationId: string,
    named: string | null | undefined,
  ): Promise<string | null> {
    const isOther = organizationId !== caller.organizationId;
    const owner = { organizationId, workspaceId: boundWorkspaceIn(caller, organizationId) };
    return this.workspaces.chosen(owner, named && isOther && !isTestId(named) ? testIdOf(named) : named);
  }
}

/** The workspace of a bound key, or its test twin for a webhook of test mode. */
function boundWorkspaceIn({ organizationId: own, boundWorkspaceId }: Caller, organizationId: string): string | null {
  return boundWorkspaceId === null || own === organizationId ? boundWorkspaceId : testIdOf(boundWorkspaceId);
}

/** The caller as the owner of workspaces. */
export function ownerOf({ organizationId, boundWorkspaceId }: Caller): WorkspaceOwner {
  return { organizationId, workspaceId: boundWorkspaceId };
}

/** Throws NOT_FOUND for a workspace of another organization, and FORBIDDEN for a locked one. */
async function assertWorkspace(
  transaction: EntityManager,
  organizationId: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id) return;
  const workspace = await transaction.findOneBy(Workspace, { id, organizationId });
  if (!workspace) throw v1NotFound('workspace');
  if (workspace.status === 'locked') throw workspaceLocked();
}
