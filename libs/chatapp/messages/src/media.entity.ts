import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file that an organization has uploaded. */
@Entity({ schema: 'chatapp', name: 'media' })
export class ChatappMedia {
  /** The provider's id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_pkey' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('bigint')
  size: string;

  @Column('text', { name: 'mime_type' })
  mimeType: string;

  @Column('text', { name: 'file_name' })
  fileName: string;

  /** Hexadecimal. */
  @Column('text')
  sha256: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
