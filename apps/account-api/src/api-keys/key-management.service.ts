import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, generateKey, type ApiKey, type UsedKey } from '@heliograph/auth';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Changed } from '@heliograph/tenancy';
import type { Caller } from '../access/caller';
import { canGrantRole } from '../access/permissions';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from '../account-api.config';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { KeyRecord, type ChangeKeyRequest, type CreateKeyRequest, type NewKey } from './api-keys.dto';

/** Manages the API keys of an organization. Callers are limited to their own role; each write is audited. */
@Injectable()
export class KeyManagementService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ACCOUNT_API_CONFIG) private readonly config: AccountApiConfig,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<UsedKey>> {
    return this.keys.list(organizationId, page);
  }

  get({ organizationId }: Caller, id: string): Promise<UsedKey> {
    return this.keys.keyOf(organizationId, id);
  }

  create(write: WriteRequest, caller: Caller, body: CreateKeyRequest): Promise<NewKey> {
    refuseAbove(caller, body.role);
    const secret = generateKey(this.config.KEY_PREFIX);
    const create = async (work: UnitOfWorkContext): Promise<NewKey> => {
      const settings = { ...body, expiresAt: body.expiresAt === null ? null : new Date(body.expiresAt) };
      const key = await this.keys.create(work.transaction, caller.organizationId, settings, secret);
      await auditChange(work, 'apikey.created', null, key);
      return { apiKey: KeyRecord.of(key), key: secret };
    };
    return this.unitOfWork.run(write, create, { sealed: true });
  }

  async update(write: WriteRequest, caller: Caller, id: string, body: ChangeKeyRequest): Promise<KeyRecord> {
    if (body.role !== undefined) refuseAbove(caller, body.role);
    const { lastUsedAt } = await this.get(caller, id);
    return this.unitOfWork.run(write, async (work) => {
      const { expiresAt, ...others } = body;
      const changes = {
        ...others,
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
      };
      const changed = await this.keys.change(work.transaction, caller.organizationId, id, changes);
      refuseAbove(caller, changed.before.role);
      return noteChange(work, 'apikey.changed', changed, lastUsedAt);
    });
  }

  async rotate(write: WriteRequest, caller: Caller, id: string, overlapSeconds: number): Promise<NewKey> {
    const { lastUsedAt } = await this.get(caller, id);
    const secret = generateKey(this.config.KEY_PREFIX);
    const rotate = async (work: UnitOfWorkContext): Promise<NewKey> => {
      const changed = await this.keys.rotate(work.transaction, caller.organizationId, id, secret, overlapSeconds);
      refuseAbove(caller, changed.before.role);
      return { apiKey: await noteChange(work, 'apikey.rotated', changed, lastUsedAt), key: secret };
    };
    return this.unitOfWork.run(write, rotate, { sealed: true });
  }

  async revoke(write: WriteRequest, caller: Caller, id: string): Promise<KeyRecord> {
    const { lastUsedAt } = await this.get(caller, id);
    return this.unitOfWork.run(write, async (work) => {
      const changed = await this.keys.revoke(work.transaction, caller.organizationId, id, write.actor.requestId);
      if (changed.before.revokedAt) return KeyRecord.of(changed.after, lastUsedAt);
      return noteChange(work, 'apikey.revoked', changed, lastUsedAt);
    });
  }
}

async function noteChange(
  work: UnitOfWorkContext,
  action: string,
  { before, after }: Changed<ApiKey>,
  lastUsedAt: Date | null,
): Promise<KeyRecord> {
  await auditChange(work, action, before, after);
  return KeyRecord.of(after, lastUsedAt);
}

function auditChange(
  { audit }: UnitOfWorkContext,
  action: string,
  before: ApiKey | null,
  after: ApiKey,
): Promise<void> {
  return audit({
    organizationId: after.organizationId,
    workspaceId: after.workspaceId,
    action,
    target: { type: 'apikey', id: after.id },
    before: before && KeyRecord.of(before),
    after: KeyRecord.of(after),
  });
}

/** Without this check a caller could create a key with a higher role than its own. Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, requestedRole: Role): void {
  if (canGrantRole(role, requestedRole)) return;
  throw new AppError(
    'FORBIDDEN',
    `The role ${role} may not assign the role ${requestedRole} to an API key. Ask an owner or admin.`,
  );
}
