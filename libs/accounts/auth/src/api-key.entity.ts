import type { Role } from '@heliograph/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An API key. Only its SHA-256 is stored, and the last four characters to recognize it. */
@Entity({ schema: 'auth', name: 'api_keys' })
@Index('api_keys_hash', ['hash'], { unique: true })
@Index('api_keys_previous_hash', ['previousHash'], { unique: true })
@Index('api_keys_name', ['organizationId', 'name'], { unique: true })
export class ApiKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  /** Null for a key without an organization, which has no access. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Null if the key is not bound to a workspace. */
  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('text')
  name: string;

  @Column('bytea')
  hash: Buffer;

  /** Hash of the secret before the rotation. */
  @Column('bytea', { name: 'previous_hash', nullable: true })
  previousHash: Buffer | null;

  /** Time when the previous secret expires. */
  @Column('timestamptz', { name: 'previous_expires_at', nullable: true })
  previousExpiresAt: Date | null;

  @Column('text', { name: 'last_four' })
  lastFour: string;

  /** An empty list means unrestricted. */
  @Column('text', { array: true, default: () => "'{}'" })
  scopes: string[];

  @Column('text')
  role: Role;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Time of the last use of a key, accurate to a few seconds. */
@Entity({ schema: 'auth', name: 'api_key_uses' })
export class ApiKeyUse {
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_uses_pkey' })
  apiKeyId: string;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt: Date;
}
