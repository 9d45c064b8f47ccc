import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A visitor who gave contact details to a bot of a workspace. Recognized by email address, else by phone number. */
@Entity({ schema: 'bots', name: 'contacts' })
@Index('contacts_email', ['workspaceId', 'email'], { unique: true, where: 'email IS NOT NULL' })
@Index('contacts_phone', ['workspaceId', 'phone'], { where: 'phone IS NOT NULL' })
@Index('contacts_workspace', ['workspaceId', 'id'])
export class Contact {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'contacts_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text', { nullable: true })
  name: string | null;

  /** Lower case. */
  @Column('text', { nullable: true })
  email: string | null;

  /** As the visitor entered it, without spaces; not verified. */
  @Column('text', { nullable: true })
  phone: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
