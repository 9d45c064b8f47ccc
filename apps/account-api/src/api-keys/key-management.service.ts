import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, generateKey, type ApiKey, type UsedKey } from '@heliograph/auth';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Changed } from '@heliograph/tenancy';
import type { Caller } from '../access/caller';
import { mayGrant } from '../access/permissions';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import { KeyRecord, type ChangeKeyRequest, type CreateKeyRequest, type NewKey } from './api-keys.dto';

/** An organization's keys, as its people manage them: within their own role, and on the record. */
@Injectable()
export class KeyManagementService {
  constructor(
    @Inject(ApiKeysService) private readonly keys: ApiKeysService,
    @Inject(Writes) private readonly writes: Writes,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<UsedKey>> {
    return this.keys.list(organizationId, page);
  }

  one({ organizationId }: Caller, id: string): Promise<UsedKey> {
    return this.keys.keyOf(organizationId, id);
  }

  create(call: WriteCall, caller: Caller, asked: CreateKeyRequest): Promise<NewKey> {
    refuseAbove(caller, asked.role);
    const secret = generateKey(this.settings.KEY_PREFIX);
    const create = async (open: OpenWrite): Promise<NewKey> => {
      const settings = { ...asked, expiresAt: asked.expiresAt === null ? null : new Date(asked.expiresAt) };
      const key = await this.keys.create(open.transaction, caller.organizationId, settings, secret);
      await note(open, 'apikey.created', null, key);
      return { apiKey: KeyRecord.of(key), key: secret };
    };
    return this.writes.run(call, create, { sealed: true });
  }

  async change(call: WriteCall, caller: Caller, id: string, asked: ChangeKeyRequest): Promise<KeyRecord> {
    if (asked.role !== undefined) refuseAbove(caller, asked.role);
    const { lastUsedAt } = await this.one(caller, id);
    return this.writes.run(call, async (open) => {
      const { expiresAt, ...others } = asked;
      const changes = {
        ...others,
        ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
      };
      const changed = await this.keys.change(open.transaction, caller.organizationId, id, changes);
      refuseAbove(caller, changed.before.role);
      return noteChange(open, 'apikey.changed', changed, lastUsedAt);
    });
  }

  async rotate(call: WriteCall, caller: Caller, id: string, overlapSeconds: number): Promise<NewKey> {
    const { lastUsedAt } = await this.one(caller, id);
    const secret = generateKey(this.settings.KEY_PREFIX);
    const rotate = async (open: OpenWrite): Promise<NewKey> => {
      const changed = await this.keys.rotate(open.transaction, caller.organizationId, id, secret, overlapSeconds);
      refuseAbove(caller, changed.before.role);
      return { apiKey: await noteChange(open, 'apikey.rotated', changed, lastUsedAt), key: secret };
    };
    return this.writes.run(call, rotate, { sealed: true });
  }

  async revoke(call: WriteCall, caller: Caller, id: string): Promise<KeyRecord> {
    const { lastUsedAt } = await this.one(caller, id);
    return this.writes.run(call, async (open) => {
      const changed = await this.keys.revoke(open.transaction, caller.organizationId, id, call.actor.requestId);
      if (changed.before.revokedAt) return KeyRecord.of(changed.after, lastUsedAt);
      return noteChange(open, 'apikey.revoked', changed, lastUsedAt);
    });
  }
}

async function noteChange(
  open: OpenWrite,
  action: string,
  { before, after }: Changed<ApiKey>,
  lastUsedAt: Date | null,
): Promise<KeyRecord> {
  await note(open, action, before, after);
  return KeyRecord.of(after, lastUsedAt);
}

function note({ record }: OpenWrite, action: string, before: ApiKey | null, after: ApiKey): Promise<void> {
  return record({
    organizationId: after.organizationId,
    workspaceId: after.workspaceId,
    action,
    target: { type: 'apikey', id: after.id },
    before: before && KeyRecord.of(before),
    after: KeyRecord.of(after),
  });
}

/** Whoever could make a key of a higher role would have that role. Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, wanted: Role): void {
  if (mayGrant(role, wanted)) return;
  throw new AppError('FORBIDDEN', `The role ${role} may not give a key the role ${wanted}.`);
}
