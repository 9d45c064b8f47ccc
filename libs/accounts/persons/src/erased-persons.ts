import { Inject, Injectable } from '@nestjs/common';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { maskOf, PersonHasher, type PersonAddress } from './person-hash';
import type { PersonsConfig } from './persons.config';

/** The persons that an organization has erased and must not write to again. */
@Injectable()
export class ErasedPersons {
  private readonly hasher: PersonHasher;
  private readonly hashes: CachedLookup<Set<string>>;

  constructor(pool: Pool, changes: ChangeFeed, @Inject(CONFIG) { PERSON_HASH_KEYS }: PersonsConfig) {
    this.hasher = new PersonHasher(PERSON_HASH_KEYS);
    this.hashes = new CachedLookup(changes, {
      tables: ['persons.erasures'],
      organizationOf: (organizationId) => organizationId,
      load: async (organizationId) => {
        const { rows } = await pool.query<{ hash: Buffer }>(
          'SELECT hash FROM persons.erasures WHERE organization_id = $1',
          [organizationId],
        );
        return new Set(rows.map(({ hash }) => hash.toString('hex')));
      },
    });
  }

  /** The mask of an erased person; null for all others. */
  async maskOf(organizationId: string, address: PersonAddress): Promise<string | null> {
    if (!this.hasher.isConfigured) return null;
    const erased = await this.hashes.get(organizationId);
    // Most organizations have erased no person, so no hash is computed for them.
    if (erased.size === 0) return null;
    const found = this.hasher.hashesOf(organizationId, address).find((hash) => erased.has(hash.toString('hex')));
    return found ? maskOf(found) : null;
  }
}
