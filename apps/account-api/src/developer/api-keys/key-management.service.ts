import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysService, generateKey, modeOf, type ApiKey, type UsedKey } from '@heliograph/auth';
import { apiKeyCreated, type Role } from '@heliograph/contracts';
import { clientOf, given, testIdOf, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { CONFIG, pageOf } from '@heliograph/service-kit';
import type { EntityManager } from 'typeorm';
import { AuditedKind, recordWrite, UnitOfWork, type Actor, type Write } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import { canGrantRole } from '../../access/permissions';
import type { AccountApiConfig } from '../../account-api.config';
import { toDate } from '../../http/timestamps';
import { organizationIn, organizationsOf } from '../../test-mode/organization-in';
import { TestOrganizations } from '../../test-mode/test-organizations.service';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import {
  KeyList,
  KeyRecord,
  OneKey,
  type ChangeKeyRequest,
  type CreateKeyRequest,
  type KeyQuery,
  type NewKey,
  type RotateKeyRequest,
} from './api-keys.dto';

/** The time of the last use is not audited, because every call with the key changes it. */
const API_KEY = new AuditedKind<UsedKey>(
  'apikey',
  ({ key: { id, organizationId, workspaceId } }) => ({ id, organizationId, workspaceId }),
  ({ key }) => KeyRecord.of({ key, lastUsedAt: null }),
);

/** Manages the API keys of an organization. Callers are limited to their own role; each write is audited. */
@Injectable()
export class KeyManagementService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly testOrganizations: TestOrganizations,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /** Throws FORBIDDEN for live keys in test mode. */
  async list(caller: Caller, { mode, ...page }: KeyQuery): Promise<KeyList> {
    return KeyList.of(await this.keys.list(organizationIn(caller, mode), pageOf(page)));
  }

  async get(caller: Caller, id: string): Promise<OneKey> {
    return OneKey.of(await this.keys.keyOf(await this.keys.ownerOf(organizationsOf(caller), id), id));
  }

  /**
   * Creates a key whose secret nobody gets. `issue` replaces it. `alsoDo` runs in the same transaction. Throws FORBIDDEN for a role that
   * the caller may not assign.
   */
  createUnissued(
    write: Write,
    caller: Caller,
    body: CreateKeyRequest,
    alsoDo: (transaction: EntityManager, key: ApiKey) => Promise<void>,
  ): Promise<OneKey> {
    return this.unitOfWork.once(write, async () => {
      refuseAbove(caller, body.role);
      return this.insert(write, caller.organizationId, body, () => OneKey.of, alsoDo);
    });
  }

  /** Replaces the secret that nobody has. Returns the new one. Throws NOT_FOUND, and STATE_CONFLICT for a revoked key. */
  async issue(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    actor: Omit<Actor, 'kind' | 'id' | 'name'>,
  ): Promise<NewKey> {
    const secret = generateKey(this.config.KEY_PREFIX, modeOf(organizationId));
    const { before, after } = await this.keys.rotate(transaction, organizationId, id, secret, 0);
    const issued = API_KEY.entryOf('issued', unused(before), unused(after));
    await recordWrite(transaction, { kind: 'key', id, name: after.name, ...actor }, issued);
    return newKeyOf(secret)(unused(after));
  }

  /** Revokes a key whose secret nobody has fetched in time. Throws NOT_FOUND. */
  async revokeUnissued(transaction: EntityManager, organizationId: string, id: string): Promise<void> {
    const { before, after } = await this.keys.revoke(transaction, organizationId, id, null);
    if (before.revokedAt) return;
    const actor = { kind: 'key', id, name: before.name, ipAddress: null, userAgent: null, requestId: null } as const;
    await recordWrite(transaction, actor, API_KEY.entryOf('revoked', unused(before), unused(after)));
  }

  create(write: Write, caller: Caller, body: CreateKeyRequest): Promise<NewKey> {
    return this.unitOfWork.once(write, async () => {
      refuseAbove(caller, body.role);
      return this.createIn(write, caller.organizationId, body);
    });
  }

  /** Creates a key with any role. Without an organization, the key is unbound. Throws FORBIDDEN for a live key in test mode. */
  createIn(write: Write, ownId: string | null, body: CreateKeyRequest): Promise<NewKey> {
    return this.insert(write, ownId, body, newKeyOf);
  }

  update(write: Write, caller: Caller, id: string, { expiresAt, ...body }: ChangeKeyRequest): Promise<OneKey> {
    return this.unitOfWork.once(write, async () => {
      if (body.role !== undefined) refuseAbove(caller, body.role);
      const organizationId = await this.keys.ownerOf(organizationsOf(caller), id);
      const { lastUsedAt } = await this.keys.keyOf(organizationId, id);
      const changes = { ...body, ...given({ expiresAt: toDate(expiresAt) }) };
      const done = { kind: API_KEY, done: 'changed', answer: OneKey.of };
      return this.unitOfWork.change(write, done, async (transaction) => {
        const changed = await this.keys.change(transaction, organizationId, id, changes);
        refuseAbove(caller, changed.before.role);
        return used(changed, lastUsedAt);
      });
    });
  }

  rotate(write: Write, caller: Caller, id: string, { overlapSeconds }: RotateKeyRequest): Promise<NewKey> {
    return this.unitOfWork.once(write, async () => {
      const organizationId = await this.keys.ownerOf(organizationsOf(caller), id);
      const { lastUsedAt } = await this.keys.keyOf(organizationId, id);
      const secret = generateKey(this.config.KEY_PREFIX, modeOf(organizationId));
      const rotated = { kind: API_KEY, done: 'rotated', answer: newKeyOf(secret) };
      return this.unitOfWork.change(write, rotated, async (transaction) => {
        const changed = await this.keys.rotate(transaction, organizationId, id, secret, overlapSeconds);
        refuseAbove(caller, changed.before.role);
        return used(changed, lastUsedAt);
      });
    });
  }

  revoke(write: Write, caller: Caller, id: string): Promise<OneKey> {
    return this.unitOfWork.once(write, async () => {
      const organizationId = await this.keys.ownerOf(organizationsOf(caller), id);
      const { lastUsedAt } = await this.keys.keyOf(organizationId, id);
      const revoked = { kind: API_KEY, done: 'revoked', answer: OneKey.of };
      return this.unitOfWork.change(write, revoked, async (transaction) =>
        used(await this.keys.revoke(transaction, organizationId, id, write.actor.requestId), lastUsedAt),
      );
    });
  }

  /** The first test key creates the test twin of the organization. `answerOf` gets the new secret. */
  private async insert<Answer extends OneKey>(
    write: Write,
    ownId: string | null,
    { mode, ...body }: CreateKeyRequest,
    answerOf: (secret: string) => (key: UsedKey) => Answer,
    alsoDo?: (transaction: EntityManager, key: ApiKey) => Promise<void>,
  ): Promise<Answer> {
    const organizationId = ownId === null ? null : organizationIn({ organizationId: ownId }, mode);
    const secret = generateKey(this.config.KEY_PREFIX, modeOf(organizationId));
    const created = {
      kind: API_KEY,
      done: 'created',
      answer: answerOf(secret),
      ...(organizationId === null ? {} : { creates: { organizationId, kind: LIMITED.apiKeys } }),
    };
    const twinOf = ownId === organizationId ? null : ownId;
    const prepared = twinOf === null ? null : await this.testOrganizations.prepare(twinOf);
    return this.unitOfWork.change(write, created, async (transaction) => {
      if (twinOf !== null) await this.testOrganizations.create(transaction, twinOf, write.actor, prepared);
      const workspaceId =
        body.workspaceId && (modeOf(organizationId) === 'test' ? testIdOf(body.workspaceId) : body.workspaceId);
      const settings = { ...body, workspaceId, expiresAt: toDate(body.expiresAt) };
      const key = await this.keys.create(transaction, organizationId, settings, secret);
      await publishCreated(transaction, key, write.actor.requestId);
      await alsoDo?.(transaction, key);
      return { after: unused(key) };
    });
  }
}

async function publishCreated(
  transaction: EntityManager,
  { id: keyId, organizationId, workspaceId, name, lastFour, scopes }: ApiKey,
  correlationId: string | null,
): Promise<void> {
  if (organizationId === null) return;
  const data = { keyId, name, lastFour, scopes };
  const event = composeEvent(apiKeyCreated, { organizationId, workspaceId, correlationId, data });
  await addToOutbox(await clientOf(transaction), [event]);
}

function newKeyOf(secret: string): (key: UsedKey) => NewKey {
  return (key) => ({ ...OneKey.of(key), key: secret });
}

function unused(key: ApiKey): UsedKey {
  return { key, lastUsedAt: null };
}

function used({ before, after }: Changed<ApiKey>, lastUsedAt: Date | null): Changed<UsedKey> {
  return { before: { key: before, lastUsedAt }, after: { key: after, lastUsedAt } };
}

/** Prevents callers from creating a key with a higher role than their own. Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, requestedRole: Role): void {
  if (canGrantRole(role, requestedRole)) return;
  throw new AppError(
    'FORBIDDEN',
    `The role ${role} may not assign the role ${requestedRole} to an API key. Ask an owner or admin.`,
  );
}
