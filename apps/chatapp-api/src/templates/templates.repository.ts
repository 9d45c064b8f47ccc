import { Injectable } from '@nestjs/common';
import { ChatappAccount, ChatappTemplate, type TemplateComponent } from '@heliograph/chatapp-catalog';
import { newId } from '@heliograph/database';
import { OrganizationLimits, type LimitedKind } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import type { UpstreamTemplate } from '../upstream/template-answers';
import type { TemplateRequest } from './templates.dto';

const TEMPLATES: LimitedKind = {
  setting: 'LIMITS_CHATAPP_TEMPLATES',
  rows: 'SELECT FROM chatapp.templates WHERE organization_id = $1',
};
/** Id at the provider; empty while the creation of the template is in progress. */
const NO_UPSTREAM_ID = '';
/** A creation that has not finished after this time has been abandoned. */
const ABANDONED_AFTER = `interval '10 minutes'`;

/** A valid template, to be created at the provider. */
export interface NewTemplate extends Omit<TemplateRequest, 'components'> {
  /** In the provider's notation and order, with a sample for every placeholder. */
  components: TemplateComponent[];
}

/** The row that reserves a name during the creation at the provider. */
export interface Reservation {
  row: ChatappTemplate;
  /** False if an earlier call has started to create the same template and its result is unknown. */
  isFresh: boolean;
}

/** The provider's catalog, as far as it was read. */
export interface FetchedCatalog {
  accountId: string;
  beganAt: Date;
  templates: readonly UpstreamTemplate[];
  /** Names that an organization owned at any time during the read. */
  ownedNames: readonly string[];
  /** Mirrored templates that the read did not return are deleted, except templates with these names. */
  keptNames: readonly string[];
  isWhole: boolean;
}

/** The local copy of the provider's catalog. A name, with all its languages, belongs to one organization or is shared. */
@Injectable()
export class TemplatesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: OrganizationLimits,
  ) {}

  /** Returns the provider's business account ids by internal account id. */
  async businessAccountIds(): Promise<Map<string, string>> {
    const accounts = await this.dataSource.getRepository(ChatappAccount).find();
    return new Map(accounts.map(({ id, businessAccountId }) => [id, businessAccountId ?? '']));
  }

  named(accountId: string, name: string): Promise<ChatappTemplate[]> {
    return this.dataSource.getRepository(ChatappTemplate).findBy({ accountId, name });
  }

  /**
   * Reserves a name for an organization before the provider is called, so that no other organization can get it. Throws
   * LIMIT_REACHED.
   */
  reserve(
    organizationId: string,
    accountId: string,
    { name, language, category, components, message_send_ttl_seconds }: NewTemplate,
  ): Promise<Reservation | 'taken' | 'exists'> {
    return this.dataSource.transaction(async (transaction) => {
      await lock(transaction, accountId);
      const repository = transaction.getRepository(ChatappTemplate);
      const rows = await repository.findBy({ accountId, name });
      if (rows.some((row) => row.organizationId !== organizationId)) return 'taken';
      const row = rows.find((other) => other.language === language);
      if (row) return row.upstreamId === NO_UPSTREAM_ID ? { row, isFresh: false } : 'exists';
      await this.limits.assertRoom(transaction, organizationId, TEMPLATES);
      const fresh = repository.create({
        id: newId(),
        accountId,
        organizationId,
        name,
        language,
        category,
        status: 'PENDING',
        components,
        messageSendTtlSeconds: message_send_ttl_seconds ?? null,
        upstreamId: NO_UPSTREAM_ID,
      });
      return { row: await repository.save(fresh), isFresh: true };
    });
  }

  /** Removes the reservation after a failed creation. */
  async release(organizationId: string, id: string): Promise<void> {
    await this.dataSource.getRepository(ChatappTemplate).delete({ organizationId, id, upstreamId: NO_UPSTREAM_ID });
  }

  /** Stores the result of a creation. The row is inserted again if a sync has deleted the reservation as abandoned. */
  async confirm(transaction: EntityManager, row: ChatappTemplate): Promise<void> {
    await lock(transaction, row.accountId);
    await transaction.getRepository(ChatappTemplate).save({ ...row, seenAt: await nowOf(transaction) });
  }

  async remove(organizationId: string, accountId: string, name: string): Promise<void> {
    await this.dataSource.getRepository(ChatappTemplate).delete({ organizationId, accountId, name });
  }

  /** The time of the database. */
  now(): Promise<Date> {
    return nowOf(this.dataSource.manager);
  }

  /** Names of templates that belong to an organization. Reads across tenants, because a sync covers all organizations. */
  async ownedNamesAcrossTenants(accountId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ name: string }[]>(
      'SELECT DISTINCT name FROM chatapp.templates WHERE account_id = $1 AND organization_id IS NOT NULL',
      [accountId],
    );
    return rows.map(({ name }) => name);
  }

  /** Names of organizations' templates for which the read did not return every mirrored language. */
  async missingNamesAcrossTenants(
    accountId: string,
    beganAt: Date,
    fetched: readonly UpstreamTemplate[],
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ name: string }[]>(
      `SELECT DISTINCT t.name FROM chatapp.templates t
       LEFT JOIN jsonb_to_recordset($3::jsonb) AS f (name text, language text)
         ON f.name = t.name AND f.language = t.language
       WHERE t.account_id = $1 AND t.organization_id IS NOT NULL AND t.seen_at < $2 AND f.name IS NULL
       ORDER BY t.name`,
      [accountId, beganAt, JSON.stringify(fetched.map(({ name, language }) => ({ name, language })))],
    );
    return rows.map(({ name }) => name);
  }

  /** Updates the mirror to the catalog that was read. Rows that were changed after the start of the read are newer and are not updated. */
  async mirror(catalog: FetchedCatalog): Promise<{ inserted: number; updated: number }> {
    const { accountId, beganAt, templates, ownedNames, keptNames, isWhole } = catalog;
    const fetched = JSON.stringify(
      templates.map(({ id, ...template }) => ({ ...template, upstream_id: id, id: newId() })),
    );
    return this.dataSource.transaction(async (transaction) => {
      await lock(transaction, accountId);
      const written = (await transaction.query(MIRROR, [accountId, beganAt, fetched, ownedNames])) as {
        is_new: boolean;
      }[];
      await transaction.query(TOUCH, [accountId, beganAt, fetched]);
      if (isWhole) await transaction.query(REMOVE_UNSEEN, [accountId, beganAt, keptNames]);
      const inserted = written.filter((row) => row.is_new).length;
      return { inserted, updated: written.length - inserted };
    });
  }
}

const FETCHED = `jsonb_to_recordset($3::jsonb) AS f
  (id uuid, upstream_id text, name text, language text, category text, status text, components jsonb,
   message_send_ttl_seconds integer)`;

/**
 * A new language of a name belongs to the owner of the name. A name whose owner has disappeared during the read was
 * deleted and is not inserted.
 */
const MIRROR = `
  INSERT INTO chatapp.templates AS t
    (id, account_id, organization_id, name, language, category, status, components, message_send_ttl_seconds, upstream_id)
  SELECT f.id, $1, owner.organization_id, f.name, f.language, f.category, f.status, f.components,
    f.message_send_ttl_seconds, f.upstream_id
  FROM ${FETCHED}
  LEFT JOIN LATERAL (
    SELECT o.organization_id FROM chatapp.templates o
    WHERE o.account_id = $1 AND o.name = f.name AND o.organization_id IS NOT NULL LIMIT 1
  ) AS owner ON true
  WHERE owner.organization_id IS NOT NULL OR f.name <> ALL ($4::text[])
  ON CONFLICT (account_id, name, language) DO UPDATE
  SET category = excluded.category, status = excluded.status, components = excluded.components,
      message_send_ttl_seconds = excluded.message_send_ttl_seconds, upstream_id = excluded.upstream_id, seen_at = now()
  WHERE t.seen_at < $2 AND (t.category, t.status, t.components, t.message_send_ttl_seconds, t.upstream_id)
    IS DISTINCT FROM (excluded.category, excluded.status, excluded.components, excluded.message_send_ttl_seconds,
      excluded.upstream_id)
  RETURNING (t.xmax = 0) AS is_new`;

const TOUCH = `
  UPDATE chatapp.templates t SET seen_at = now() FROM ${FETCHED}
  WHERE t.account_id = $1 AND t.name = f.name AND t.language = f.language AND t.seen_at < $2`;

const REMOVE_UNSEEN = `
  DELETE FROM chatapp.templates t
  WHERE t.account_id = $1 AND t.seen_at < $2 AND t.name <> ALL ($3::text[])
    AND (t.upstream_id <> '${NO_UPSTREAM_ID}' OR t.seen_at < now() - ${ABANDONED_AFTER})`;

/** Returns the time of the database; within a transaction, the start time of the transaction. */
async function nowOf(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<{ now: Date }[]>('SELECT now()');
  return row?.now ?? new Date();
}

/** Serializes the assignment of names to organizations. Held only briefly, never during a call to the provider. */
async function lock(transaction: EntityManager, accountId: string): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`chatapp templates ${accountId}`]);
}
