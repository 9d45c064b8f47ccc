import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { apiKeyRevoked, ROLES, SCOPES, type Role } from '@heliograph/contracts';
import {
  clientOf,
  insertNew,
  isId,
  newId,
  saveUnlessTaken,
  toPage,
  type Page,
  type PageOf,
} from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { checkDisplayName, Workspace, type Changed } from '@heliograph/tenancy';
import { In, IsNull, LessThan, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { ApiKey, ApiKeyUse } from './api-key.entity';
import { hashToken } from '@heliograph/secrets';

export interface KeySettings {
  name: string;
  /** An empty list means unrestricted. */
  scopes: string[];
  role: Role;
  workspaceId: string | null;
  expiresAt: Date | null;
}

export interface ApiKeyDetails extends KeySettings {
  revoked: boolean;
}

/** An API key and when it was last used. */
export interface UsedKey {
  key: ApiKey;
  lastUsedAt: Date | null;
}

const LOCKED = { lock: { mode: 'pessimistic_write' } } as const;

/**
 * Creates and changes API keys, for the account API and for provisioning. Complete keys are passed in and never
 * returned.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(ApiKeyUse) private readonly uses: Repository<ApiKeyUse>,
  ) {}

  /** `secret` is the complete key. Throws VALIDATION_ERROR, NAME_TAKEN. */
  async create(
    transaction: EntityManager,
    organizationId: string | null,
    settings: KeySettings,
    secret: string,
  ): Promise<ApiKey> {
    await checkSettings(transaction, organizationId, settings);
    const repository = transaction.getRepository(ApiKey);
    const key = repository.create({
      id: newId(),
      organizationId,
      ...settings,
      ...digestOf(secret),
      previousHash: null,
      previousExpiresAt: null,
      revokedAt: null,
      createdAt: new Date(),
    });
    if (await insertNew(repository, key)) return key;
    const isNameTaken = organizationId !== null && (await repository.existsBy({ organizationId, name: settings.name }));
    if (isNameTaken) throw nameTaken(settings.name);
    throw new AppError('NAME_TAKEN', 'The secret is already used by another API key. Every API key must be unique.');
  }

  /** Throws NOT_FOUND, VALIDATION_ERROR, NAME_TAKEN, and STATE_CONFLICT for a revoked key. */
  async change(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    changes: Partial<KeySettings>,
  ): Promise<Changed<ApiKey>> {
    const before = await this.locked(transaction, organizationId, id);
    const repository = transaction.getRepository(ApiKey);
    const after = repository.create({ ...before, ...changes });
    await checkSettings(transaction, organizationId, after);
    if (await saveUnlessTaken(repository, before, after)) return { before, after };
    throw nameTaken(after.name);
  }

  /** Replaces the secret; the previous one remains valid during the overlap. Throws NOT_FOUND, STATE_CONFLICT. */
  async rotate(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    secret: string,
    overlapSeconds: number,
  ): Promise<Changed<ApiKey>> {
    const before = await this.locked(transaction, organizationId, id);
    const after = transaction.getRepository(ApiKey).create({
      ...before,
      ...digestOf(secret),
      previousHash: overlapSeconds > 0 ? before.hash : null,
      previousExpiresAt: overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1000) : null,
    });
    await transaction.getRepository(ApiKey).save(after);
    return { before, after };
  }

  /** Revokes both secrets permanently and publishes an event. A revoked key is not changed. Throws NOT_FOUND. */
  async revoke(
    transaction: EntityManager,
    organizationId: string,
    id: string,
    correlationId: string | null,
  ): Promise<Changed<ApiKey>> {
    const before = await this.find(transaction.getRepository(ApiKey), organizationId, id, LOCKED);
    if (before.revokedAt) return { before, after: before };
    const after = { ...before, revokedAt: new Date() };
    await transaction.getRepository(ApiKey).save(after);
    const data = { keyId: before.id, name: before.name, lastFour: before.lastFour };
    const event = composeEvent(apiKeyRevoked, { organizationId, workspaceId: before.workspaceId, correlationId, data });
    await addToOutbox(await clientOf(transaction), [event]);
    return { before, after };
  }

  /** Revokes all keys of an organization, and publishes an event for each. */
  async revokeAll(transaction: EntityManager, organizationId: string, correlationId: string | null): Promise<void> {
    const live = await transaction.getRepository(ApiKey).findBy({ organizationId, revokedAt: IsNull() });
    for (const { id } of live) await this.revoke(transaction, organizationId, id, correlationId);
  }

  /** Newest first, including revoked keys. */
  async list(organizationId: string, page: Page): Promise<PageOf<UsedKey>> {
    const keys = await this.keys.find({
      where: { organizationId, ...(page.after === null ? {} : { id: LessThan(page.after) }) },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    const { items, next } = toPage(keys, page, ({ id }) => id);
    return { items: await this.withUses(items), next };
  }

  /** The one of the organizations that has the key. Throws NOT_FOUND. */
  async ownerOf(organizationIds: readonly string[], id: string): Promise<string> {
    const key = isId(id) ? await this.keys.findOneBy({ id, organizationId: In([...organizationIds]) }) : null;
    if (!key?.organizationId) throw noSuchKey();
    return key.organizationId;
  }

  /** Throws NOT_FOUND. */
  async keyOf(organizationId: string, id: string): Promise<UsedKey> {
    const [key] = await this.withUses([await this.find(this.keys, organizationId, id)]);
    if (!key) throw noSuchKey();
    return key;
  }

  /**
   * For provisioning: updates the key with this name in its organization, or creates it. `secret` undefined keeps the
   * stored secret. A new key without a secret gets the result of `generate`, which is returned as `generated` and
   * cannot be retrieved later.
   */
  async put(
    transaction: EntityManager,
    organizationId: string | null,
    { revoked, ...settings }: ApiKeyDetails,
    secret: string | undefined,
    generate: () => string,
  ): Promise<{ key: ApiKey; generated: string | null }> {
    const repository = transaction.getRepository(ApiKey);
    const existing = await repository.findOneBy({ organizationId: organizationId ?? IsNull(), name: settings.name });
    const generated = secret === undefined && !existing ? generate() : null;
    const key = existing ?? (await this.create(transaction, organizationId, settings, secret ?? generated ?? ''));
    if (existing) await checkSettings(transaction, organizationId, settings);
    Object.assign(key, settings, secret === undefined ? {} : digestOf(secret), {
      revokedAt: revoked ? (key.revokedAt ?? new Date()) : null,
    });
    return { key: await repository.save(key), generated };
  }

  private async withUses(keys: ApiKey[]): Promise<UsedKey[]> {
    const uses = await this.uses.findBy({ apiKeyId: In(keys.map(({ id }) => id)) });
    const byKey = new Map(uses.map(({ apiKeyId, lastUsedAt }) => [apiKeyId, lastUsedAt]));
    return keys.map((key) => ({ key, lastUsedAt: byKey.get(key.id) ?? null }));
  }

  private async locked(transaction: EntityManager, organizationId: string, id: string): Promise<ApiKey> {
    const key = await this.find(transaction.getRepository(ApiKey), organizationId, id, LOCKED);
    if (key.revokedAt === null) return key;
    throw new AppError('STATE_CONFLICT', 'The API key was revoked. Create a new one.');
  }

  private async find(
    keys: Repository<ApiKey>,
    organizationId: string,
    id: string,
    options: FindOneOptions<ApiKey> = {},
  ): Promise<ApiKey> {
    const key = isId(id) ? await keys.findOne({ ...options, where: { organizationId, id } }) : null;
    if (!key) throw noSuchKey();
    return key;
  }
}

function digestOf(secret: string): Pick<ApiKey, 'hash' | 'lastFour'> {
  return { hash: hashToken(secret), lastFour: secret.slice(-4) };
}

function noSuchKey(): AppError {
  return new AppError('NOT_FOUND', 'API key not found in this organization.');
}

async function checkSettings(
  transaction: EntityManager,
  organizationId: string | null,
  { name, scopes, role, workspaceId }: KeySettings,
): Promise<void> {
  checkDisplayName(name, 'name');
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new AppError('VALIDATION_ERROR', `scopes: must be one or more of ${SCOPES.join(', ')}.`);
  }
  if (!ROLES.includes(role)) throw new AppError('VALIDATION_ERROR', `role: must be one of ${ROLES.join(', ')}.`);
  if (workspaceId === null) return;
  const isOwn =
    organizationId !== null &&
    isId(workspaceId) &&
    (await transaction.getRepository(Workspace).existsBy({ organizationId, id: workspaceId }));
  if (!isOwn) throw new AppError('VALIDATION_ERROR', 'workspaceId: must be a workspace of the organization, or null.');
}

function nameTaken(name: string): AppError {
  const message = `The name "${name}" is used by another API key, possibly a revoked one. Choose another name.`;
  return new AppError('NAME_TAKEN', message);
}
