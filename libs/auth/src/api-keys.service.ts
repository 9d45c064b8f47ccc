import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { ApiKey, type KeyRole } from './api-key.entity';
import { hashKey } from './key-format';

export interface ApiKeyDetails {
  name: string;
  scopes: string[];
  role: KeyRole;
  workspaceId: string | null;
  expiresAt: Date | null;
  revoked: boolean;
}

/** Writes keys. A key is found by its name within its organization. */
@Injectable()
export class ApiKeysService {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /**
   * Makes or updates a key. `secret` is the whole key; undefined leaves the stored one. A new key without a secret
   * gets the one that `generate` makes, which is answered as `generated` and is not to be had again.
   */
  async put(
    organizationId: string | null,
    details: ApiKeyDetails,
    secret: string | undefined,
    generate: () => string,
    transaction: EntityManager = this.dataSource.manager,
  ): Promise<{ key: ApiKey; generated: string | null }> {
    const repository = transaction.getRepository(ApiKey);
    const existing = await repository.findOneBy({ organizationId: organizationId ?? IsNull(), name: details.name });
    const generated = secret === undefined && !existing ? generate() : null;
    const written = secret ?? generated;
    const { revoked, ...rest } = details;
    const key = repository.create({
      ...(existing ?? { id: newId(), organizationId }),
      ...rest,
      revokedAt: revoked ? (existing?.revokedAt ?? new Date()) : null,
      ...(written === null ? {} : { hash: hashKey(written), lastFour: written.slice(-4) }),
    });
    return { key: await repository.save(key), generated };
  }
}
