import { Injectable } from '@nestjs/common';
import { clientOf, isId, newId, oldestOfEachOrganization } from '@heliograph/database';
import type { ClaimRequest } from '@heliograph/fairness';
import { queryQuietly } from '@heliograph/messaging';
import { toStorableText } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { ContactImport, ImportCounts, ImportFailure } from './contact-import';
import type { ImportOptions } from './import-options';
import type { ImportFormat } from './import-records';
import type { ImportError, ImportRow } from './import-row';
import type { Holder, WaitingRow } from './waiting-rows';

const COLUMNS = `id, organization_id AS "organizationId", status, format, options, total, waiting, created, updated, skipped, invalid,
  CASE WHEN error IS NULL THEN NULL ELSE json_build_object('code', coalesce(error_code, 'INTERNAL_ERROR'), 'message', error) END AS error,
  created_at AS "createdAt", finished_at AS "finishedAt"`;
const WAITING = `status IN ('queued', 'running') AND (lease_until IS NULL OR lease_until < now())`;
const OLDEST = oldestOfEachOrganization('contacts.imports', WAITING, 'created_at');
/** Maximum number of rows of an import that wait for the end of its file. */
export const MAX_WAITING_ROWS = 20_000;
/** Maximum number of stored errors. */
export const MAX_STORED_ERRORS = 10_000;
const ABANDONED = '1 hour';
const RETENTION = '30 days';

/** Stores files to import and the progress of imports. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly pool: Pool) {}

  /** Starts an upload; nothing is imported before `enqueue`. */
  async begin(organizationId: string, format: ImportFormat): Promise<string> {
    const id = newId();
    await this.pool.query(
      `INSERT INTO contacts.imports (id, organization_id, status, format) VALUES ($1, $2, 'uploading', $3)`,
      [id, organizationId, format],
    );
    return id;
  }

  async addChunk(id: string, position: number, content: Buffer): Promise<void> {
    await this.pool.query('INSERT INTO contacts.import_chunks (import_id, position, content) VALUES ($1, $2, $3)', [
      id,
      position,
      content,
    ]);
  }

  /** Deletes an upload that will not be imported. */
  async discard(id: string): Promise<void> {
    await this.pool.query(`DELETE FROM contacts.imports WHERE id = $1 AND status = 'uploading'`, [id]);
  }

  async enqueue(transaction: EntityManager, id: string, options: ImportOptions): Promise<ContactImport> {
    const client = await clientOf(transaction);
    const { rows } = await client.query<ContactImport>(
      `UPDATE contacts.imports SET status = 'queued', options = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, options],
    );
    const [queued] = rows;
    if (!queued) throw new Error(`the import ${id} is not stored`);
    return queued;
  }

  /** Null for unknown ids and those of other organizations. */
  async find(organizationId: string, id: string): Promise<ContactImport | null> {
    if (!isId(id)) return null;
    const { rows } = await this.pool.query<ContactImport>(
      `SELECT ${COLUMNS} FROM contacts.imports WHERE id = $1 AND organization_id = $2 AND status <> 'uploading'`,
      [id, organizationId],
    );
    return rows[0] ?? null;
  }

  /** Sorted by row number. */
  async errors(id: string, limit: number): Promise<ImportError[]> {
    const { rows } = await this.pool.query<ImportError>(
      'SELECT row, field, message FROM contacts.import_errors WHERE import_id = $1 ORDER BY row LIMIT $2',
      [id, limit],
    );
    return rows;
  }

  /** Leases a waiting import to this process: the oldest one of an organization that `request` prefers. */
  async claimAcrossTenants({ held, onlyOthers }: ClaimRequest, leaseMs: number): Promise<ContactImport | null> {
    const rows = await queryQuietly<ContactImport>(
      this.pool,
      `UPDATE contacts.imports SET status = 'running', lease_until = now() + $1 * interval '1 millisecond'
       WHERE id = (
         SELECT i.id FROM (${OLDEST}) AS oldest JOIN contacts.imports AS i USING (id)
         WHERE ${WAITING} AND NOT ($3 AND i.organization_id = ANY ($2))
         ORDER BY i.organization_id = ANY ($2), i.created_at LIMIT 1 FOR UPDATE OF i SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [leaseMs, held, onlyOthers],
    );
    return rows[0] ?? null;
  }

  /** Extends the leases of imports that run in this process. */
  async extendLeases(ids: readonly string[], leaseMs: number): Promise<void> {
    await queryQuietly(
      this.pool,
      `UPDATE contacts.imports SET lease_until = now() + $2 * interval '1 millisecond'
       WHERE id = ANY ($1) AND status = 'running'`,
      [ids, leaseMs],
    );
  }

  /** Releases the import, so that another process continues it. */
  async release(id: string): Promise<void> {
    await this.pool.query(`UPDATE contacts.imports SET lease_until = NULL WHERE id = $1`, [id]);
  }

  async *chunks(id: string): AsyncGenerator<Buffer> {
    for (let position = 0; ; position++) {
      const { rows } = await this.pool.query<{ content: Buffer }>(
        'SELECT content FROM contacts.import_chunks WHERE import_id = $1 AND position = $2',
        [id, position],
      );
      if (!rows[0]) return;
      yield rows[0].content;
    }
  }

  /** Locks the import in the transaction. False if another process has made progress or ended the import. */
  async lock(
    transaction: EntityManager,
    id: string,
    { total, waiting }: Pick<ContactImport, 'total' | 'waiting'>,
  ): Promise<boolean> {
    const client = await clientOf(transaction);
    const { rows } = await client.query(
      `SELECT FROM contacts.imports WHERE id = $1 AND status = 'running' AND total = $2 AND waiting = $3 FOR UPDATE`,
      [id, total, waiting],
    );
    return rows.length > 0;
  }

  /** `waiting`: change of the number of waiting rows. Stores the progress in the transaction that stores the contacts. */
  async advance(
    transaction: EntityManager,
    id: string,
    { created, updated, skipped, invalid }: ImportCounts,
    errors: readonly ImportError[],
    waiting: number,
    leaseMs: number,
  ): Promise<void> {
    const client = await clientOf(transaction);
    if (errors.length > 0) {
      await client.query(
        `INSERT INTO contacts.import_errors (import_id, row, field, message)
         SELECT $1, e.row, e.field, e.message
         FROM json_to_recordset($2) AS e (row integer, field text, message text)
         WHERE (SELECT invalid FROM contacts.imports WHERE id = $1) < ${MAX_STORED_ERRORS}`,
        [id, JSON.stringify(errors.map(toStored))],
      );
    }
    await client.query(
      `UPDATE contacts.imports SET total = total + $2 + $3 + $4 + $5, created = created + $2, updated = updated + $3,
         skipped = skipped + $4, invalid = invalid + $5, waiting = waiting + $6,
         failures = 0, lease_until = now() + $7 * interval '1 millisecond'
       WHERE id = $1`,
      [id, created, updated, skipped, invalid, waiting, leaseMs],
    );
  }

  /** The email addresses among those of the rows of which a row waits, in lower case. */
  async waitingEmails(transaction: EntityManager, id: string, rows: readonly ImportRow[]): Promise<Set<string>> {
    const client = await clientOf(transaction);
    const { rows: found } = await client.query<{ email: string }>(
      `SELECT DISTINCT email_key AS email FROM contacts.import_waiting_rows WHERE import_id = $1 AND email_key = ANY ($2)`,
      [id, rows.flatMap(({ data }) => data.email?.toLowerCase() ?? [])],
    );
    return new Set(found.map(({ email }) => email));
  }

  /** Stores rows, each with an email address, for the end of the file. */
  async keepWaiting(transaction: EntityManager, id: string, rows: readonly ImportRow[]): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `INSERT INTO contacts.import_waiting_rows (import_id, row, email_key, phone, content)
       SELECT $1, r.row, r.email_key, r.phone, r.content
       FROM json_to_recordset($2) AS r (row integer, email_key text, phone text, content jsonb)`,
      [
        id,
        JSON.stringify(
          rows.map((content) => ({
            row: content.row,
            email_key: content.data.email?.toLowerCase(),
            phone: content.data.phone,
            content,
          })),
        ),
      ],
    );
  }

  /** The addresses of the waiting rows, sorted by row number, and of the contacts that have one of them. */
  async waitingRows({ id, organizationId }: ContactImport): Promise<{ rows: WaitingRow[]; holders: Holder[] }> {
    const { rows } = await this.pool.query<WaitingRow>(
      `SELECT row, email_key AS "emailKey", phone FROM contacts.import_waiting_rows WHERE import_id = $1 ORDER BY row`,
      [id],
    );
    const { rows: holders } = await this.pool.query<Holder>(
      `SELECT lower(email) AS "emailKey", phone FROM contacts.contacts
       WHERE organization_id = $1 AND (lower(email) = ANY ($2) OR phone = ANY ($3))`,
      [organizationId, rows.map(({ emailKey }) => emailKey), rows.flatMap(({ phone }) => phone ?? [])],
    );
    return { rows, holders };
  }

  /** Removes rows from the waiting ones and returns them by number. */
  async takeWaiting(
    transaction: EntityManager,
    id: string,
    rows: readonly number[],
  ): Promise<ReadonlyMap<number, ImportRow>> {
    const client = await clientOf(transaction);
    const { rows: taken } = await client.query<{ content: ImportRow }>(
      'DELETE FROM contacts.import_waiting_rows WHERE import_id = $1 AND row = ANY ($2) RETURNING content',
      [id, rows],
    );
    return new Map(taken.map(({ content }) => [content.row, content]));
  }

  /** Counts an attempt that an error interrupted; returns the number of such attempts since the last progress. */
  async countFailure(id: string): Promise<number> {
    const { rows } = await this.pool.query<{ failures: number }>(
      'UPDATE contacts.imports SET failures = failures + 1 WHERE id = $1 RETURNING failures',
      [id],
    );
    return rows[0]?.failures ?? 0;
  }

  /** Ends an import and deletes its file. */
  async finish(id: string, error: ImportFailure | null): Promise<void> {
    await this.pool.query(
      `WITH ended AS (
         UPDATE contacts.imports SET status = CASE WHEN $2::text IS NULL THEN 'completed' ELSE 'failed' END, error = $2, error_code = $3,
           finished_at = now(), lease_until = NULL
         WHERE id = $1 RETURNING id)
       , waiting_rows AS (DELETE FROM contacts.import_waiting_rows USING ended WHERE import_id = ended.id)
       DELETE FROM contacts.import_chunks USING ended WHERE import_id = ended.id`,
      [id, error?.message ?? null, error?.code ?? null],
    );
  }

  /** Deletes abandoned uploads and old imports. */
  async cleanUp(): Promise<void> {
    await this.pool.query(
      `DELETE FROM contacts.imports WHERE created_at < now() - interval '${RETENTION}'
         OR status = 'uploading' AND created_at < now() - interval '${ABANDONED}'`,
    );
  }
}

/** Errors can contain names from the file, and PostgreSQL rejects JSON with NUL or lone surrogates. */
function toStored({ row, field, message }: ImportError): ImportError {
  return { row, field: field && toStorableText(field), message: toStorableText(message) };
}
