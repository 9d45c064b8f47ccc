import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { Organization } from '@heliograph/tenancy';
import { Repository } from 'typeorm';
import { ApiKey } from './api-key.entity';
import { compileAllowlist } from './ip-allowlist';
import { hashToken } from '@heliograph/secrets';
import type { KeyPrincipal } from './principal';

/**
 * Finds API keys by their SHA-256, with an in-process cache that is invalidated on changes (after 30 seconds at
 * most).
 */
@Injectable()
export class KeyDirectory {
  private readonly principals: CachedLookup<KeyPrincipal | null>;

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    changes: ChangeFeed,
  ) {
    this.principals = new CachedLookup(changes, {
      tables: ['auth.api_keys', 'tenancy.organizations'],
      load: (hash) => this.load(hash),
      // A cached miss is invalidated by every change, because the next created key may match it.
      organizationOf: (_hash, principal) => principal?.organizationId ?? null,
    });
  }

  /** Null for a key that does not exist, has expired or was revoked. */
  async find(key: string): Promise<KeyPrincipal | null> {
    const principal = await this.principals.get(hashToken(key).toString('base64'));
    if (!principal || principal.revokedAt !== null) return null;
    if (principal.expiresAt !== null && principal.expiresAt.getTime() <= Date.now()) return null;
    return principal;
  }

  private async load(hash: string): Promise<KeyPrincipal | null> {
    const digest = Buffer.from(hash, 'base64');
    const key = await this.keys.findOne({ where: [{ hash: digest }, { previousHash: digest }] });
    if (!key) return null;
    const organization = key.organizationId ? await this.organizations.findOneBy({ id: key.organizationId }) : null;
    return {
      keyId: key.id,
      user: null,
      name: key.name,
      organizationId: key.organizationId,
      workspaceId: key.workspaceId,
      scopes: new Set(key.scopes),
      role: key.role,
      expiresAt: key.hash.equals(digest) ? key.expiresAt : earlier(key.expiresAt, key.previousExpiresAt),
      revokedAt: key.revokedAt,
      createdAt: key.createdAt,
      allowedAddresses: organization ? compileAllowlist(organization.ipAllowlist) : null,
    };
  }
}

/** Null if the key does not expire. */
function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
