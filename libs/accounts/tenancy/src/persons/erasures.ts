import { Inject, Injectable } from '@nestjs/common';
import { ERASING_SERVICES, personErasureRequested, type ErasingService } from '@heliograph/contracts';
import { clientOf, isId, newId } from '@heliograph/database';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { KeyRing } from '@heliograph/secrets';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { maskOf, PersonHasher, type PersonAddress, type PersonAddressKind } from './person-hash';
import type { PersonsConfig } from './persons.config';

/** The state of an erasure, without the address of the person. */
export interface Erasure {
  id: string;
  organizationId: string;
  kind: PersonAddressKind;
  /** Services that have not finished yet. */
  pending: ErasingService[];
  requestedAt: Date;
  finishedAt: Date | null;
}

/** A channel on which a person had opted out, or was suppressed, before the erasure. */
export type BlockedChannel = 'sms' | 'email' | 'chatapp';

/** The person to erase. */
export interface ErasedPerson extends PersonAddress {
  erasureId: string;
  /** Only what was stored until then is erased. */
  requestedAt: Date;
  organizationId: string;
  /** Replaces the address in message logs. */
  mask: string;
}

const COLUMNS = `id, organization_id AS "organizationId", kind, pending, requested_at AS "requestedAt",
  finished_at AS "finishedAt"`;

/** Erases persons: an event notifies all services, and each service erases the person from its own tables. */
@Injectable()
export class Erasures {
  private readonly hasher: PersonHasher;
  /** Seals the address until all services have finished; null without keys. */
  private readonly keys: KeyRing | null;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) { PERSON_HASH_KEYS }: PersonsConfig,
  ) {
    this.hasher = new PersonHasher(PERSON_HASH_KEYS);
    this.keys = KeyRing.derive(PERSON_HASH_KEYS, 'persons.erasures.value', 'PERSON_HASH_KEYS');
  }

  /**
   * Starts an erasure. A repeated request erases what has been stored since. `blocked`: channels on which the person stays opted
   * out. Throws SERVICE_UNAVAILABLE.
   */
  async request(
    transaction: EntityManager,
    organizationId: string,
    address: PersonAddress,
    correlationId: string | null,
    blocked: readonly BlockedChannel[] = [],
  ): Promise<Erasure> {
    const [hash] = this.hasher.hashesOf(organizationId, address);
    if (!hash || !this.keys) throw serviceUnavailable('PERSON_HASH_KEYS is not set');
    const client = await clientOf(transaction);
    const { rows } = await client.query<Erasure>(
      `INSERT INTO persons.erasures AS e (id, organization_id, kind, hash, value, pending, blocked)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (organization_id, kind, hash) DO UPDATE
       SET value = excluded.value, pending = excluded.pending, round = e.round + 1, requested_at = now(),
         finished_at = NULL, blocked = ARRAY(SELECT DISTINCT unnest(e.blocked || excluded.blocked))
       RETURNING ${COLUMNS}`,
      [
        newId(),
        organizationId,
        address.kind,
        hash,
        this.keys.seal(address.value, contextOf(hash)),
        ERASING_SERVICES,
        blocked,
      ],
    );
    const [erasure] = rows;
    if (!erasure) throw new Error('the erasure was not stored');
    const data = { erasureId: erasure.id };
    await addToOutbox(client, [
      composeEvent(personErasureRequested, { organizationId, workspaceId: null, correlationId, data }),
    ]);
    return erasure;
  }

  /**
   * Whether a person was erased at or after a time, as seen by the transaction. Events that are processed late must not store the
   * person again.
   */
  async isErasedSince(
    transaction: EntityManager,
    organizationId: string,
    address: PersonAddress,
    time: Date,
  ): Promise<boolean> {
    const client = await clientOf(transaction);
    const { rowCount } = await client.query(
      `SELECT FROM persons.erasures
       WHERE organization_id = $1 AND kind = $2 AND hash = ANY ($3) AND requested_at >= $4`,
      [organizationId, address.kind, this.hasher.hashesOf(organizationId, address), time],
    );
    return rowCount !== null && rowCount > 0;
  }

  /** Keeps the person opted out on channels, in the transaction that deletes the opt-outs. */
  async block(transaction: EntityManager, erasureId: string, channels: readonly BlockedChannel[]): Promise<void> {
    if (channels.length === 0) return;
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE persons.erasures SET blocked = ARRAY(SELECT DISTINCT unnest(blocked || $2::text[])) WHERE id = $1`,
      [erasureId, channels],
    );
  }

  /** Ends the opt-out of an erased person, because the person has opted in again. */
  async unblock(
    transaction: EntityManager,
    organizationId: string,
    address: PersonAddress,
    channel: BlockedChannel,
  ): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE persons.erasures SET blocked = array_remove(blocked, $4)
       WHERE organization_id = $1 AND kind = $2 AND hash = ANY ($3) AND $4 = ANY (blocked)`,
      [organizationId, address.kind, this.hasher.hashesOf(organizationId, address), channel],
    );
  }

  /** Throws NOT_FOUND. */
  async read(organizationId: string, id: string): Promise<Erasure> {
    const { rows } = isId(id)
      ? await this.pool.query<Erasure>(
          `SELECT ${COLUMNS} FROM persons.erasures WHERE organization_id = $1 AND id = $2`,
          [organizationId, id],
        )
      : { rows: [] };
    if (rows[0]) return rows[0];
    throw new AppError('NOT_FOUND', 'Unknown erasure. Use the id from the response that started it.');
  }

  /**
   * Runs the part of a service. `erase` must be idempotent. After the last service the address is deleted; only its hash
   * remains.
   */
  async run(service: ErasingService, id: string, erase: (person: ErasedPerson) => Promise<void>): Promise<void> {
    const { rows } = await this.pool.query<Omit<ErasedPerson, 'mask'> & { hash: Buffer; round: number }>(
      `SELECT id AS "erasureId", organization_id AS "organizationId", kind, value, hash, round, requested_at AS "requestedAt"
       FROM persons.erasures
       WHERE id = $1 AND $2::text = ANY (pending) AND value IS NOT NULL`,
      [id, service],
    );
    const [found] = rows;
    if (!found) return;
    const { hash, round, ...person } = found;
    if (!this.keys) throw new Error('PERSON_HASH_KEYS is not set. Set it as in account-api.');
    const value = this.keys.open(person.value, contextOf(hash));
    await erase({ ...person, value, mask: maskOf(hash) });
    // A request that was repeated in the meantime has its own event.
    await this.pool.query(
      `UPDATE persons.erasures SET pending = array_remove(pending, $2::text),
         value = CASE WHEN pending <@ ARRAY[$2::text] THEN NULL ELSE value END,
         finished_at = CASE WHEN pending <@ ARRAY[$2::text] THEN now() END
       WHERE id = $1 AND round = $3`,
      [id, service, round],
    );
  }
}

/** The hash differs for each organization and person, so a sealed value cannot be opened in another row. */
const contextOf = (hash: Buffer): string => `persons.erasures.value ${hash.toString('hex')}`;
