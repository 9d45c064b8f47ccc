import { Inject, Injectable } from '@nestjs/common';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BlockedChannel } from './erasures';
import { maskOf, PersonHasher, type PersonAddress } from './person-hash';
import type { PersonsConfig } from './persons.config';

interface StoredErasure {
  hash: Buffer;
  blocked: BlockedChannel[];
  requestedAt: Date;
}

/** The persons that an organization has erased. */
@Injectable()
export class ErasedPersons {
  private readonly hasher: PersonHasher;
  private readonly erasures: CachedLookup<Map<string, StoredErasure>>;

  constructor(pool: Pool, changes: ChangeFeed, @Inject(CONFIG) { PERSON_HASH_KEYS }: PersonsConfig) {
    this.hasher = new PersonHasher(PERSON_HASH_KEYS);
    this.erasures = new CachedLookup(changes, {
      tables: ['persons.erasures'],
      organizationOf: (organizationId) => organizationId,
      load: async (organizationId) => {
        const { rows } = await pool.query<StoredErasure>(
          'SELECT hash, blocked, requested_at AS "requestedAt" FROM persons.erasures WHERE organization_id = $1',
          [organizationId],
        );
        return new Map(rows.map((erasure) => [erasure.hash.toString('hex'), erasure]));
      },
    });
  }

  /** The mask of a person who had opted out of a channel before the erasure, and has not opted in again; null for all others. */
  async blockedMaskOf(organizationId: string, address: PersonAddress, channel: BlockedChannel): Promise<string | null> {
    const erasure = await this.find(organizationId, address);
    return erasure?.blocked.includes(channel) ? maskOf(erasure.hash) : null;
  }

  /** The mask of a person in data that existed before the erasure of the person; null for all other persons and data. */
  async maskOf(organizationId: string, address: PersonAddress, createdAt: Date): Promise<string | null> {
    const erasure = await this.find(organizationId, address);
    return erasure && createdAt <= erasure.requestedAt ? maskOf(erasure.hash) : null;
  }

  private async find(organizationId: string, address: PersonAddress): Promise<StoredErasure | null> {
    if (!this.hasher.isConfigured) return null;
    const erased = await this.erasures.get(organizationId);
    // Most organizations have erased no person, so no hash is computed for them.
    if (erased.size === 0) return null;
    for (const hash of this.hasher.hashesOf(organizationId, address)) {
      const erasure = erased.get(hash.toString('hex'));
      if (erasure) return erasure;
    }
    return null;
  }
}
