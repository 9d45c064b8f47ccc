import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { clientOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';

export interface StoredMedia {
  /** The id that the provider assigned. */
  id: string;
  accountId: string;
  organizationId: string;
  /** The workspace of the caller; null if the organization has no workspace. */
  workspaceId: string | null;
  sizeBytes: number;
  mimeType: string;
  fileName: string;
  /** SHA-256 hash in hexadecimal. */
  sha256: string;
}

/** Files that organizations have uploaded or received in inbound messages. */
@Injectable()
export class MediaRepository {
  constructor(private readonly pool: Pool) {}

  async store(
    transaction: EntityManager,
    { id, accountId, organizationId, workspaceId, sizeBytes, mimeType, fileName, sha256 }: StoredMedia,
  ): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `INSERT INTO chatapp.media (id, account_id, organization_id, workspace_id, size, mime_type, file_name, sha256)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, accountId, organizationId, workspaceId, sizeBytes, mimeType, fileName, sha256],
    );
  }

  /**
   * Returns those of the given ids that the caller may read: files of its organization and, for a workspace-bound key,
   * of its workspace.
   */
  async ownOf({ organizationId, workspaceId }: Tenant, ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM chatapp.media
       WHERE id = ANY ($1) AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)
       UNION
       SELECT media_id FROM chatapp.messages
       WHERE media_id = ANY ($1) AND direction = 'inbound'
         AND organization_id = $2 AND ($3::uuid IS NULL OR workspace_id = $3)`,
      [ids, organizationId, workspaceId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Returns the organizations that may read a file. A link contains no organization, so its signature is verified for
   * each of them.
   */
  async ownersAcrossTenants(id: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ organizationId: string }>(
      `SELECT organization_id AS "organizationId" FROM chatapp.media WHERE id = $1
       UNION
       SELECT organization_id FROM chatapp.messages
       WHERE media_id = $1 AND direction = 'inbound' AND organization_id IS NOT NULL`,
      [id],
    );
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Returns the file name from the upload or the inbound message, across organizations; null if there is no name. */
  async fileNameAcrossTenants(id: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ fileName: string | null }>(
      `SELECT coalesce(
         (SELECT file_name FROM chatapp.media WHERE id = $1),
         (SELECT payload #>> '{document,filename}' FROM chatapp.messages
          WHERE media_id = $1 AND direction = 'inbound' LIMIT 1)) AS "fileName"`,
      [id],
    );
    return rows[0]?.fileName ?? null;
  }
}
