import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A named set of contacts of an organization. */
@Entity({ schema: 'contacts', name: 'groups' })
@Unique('groups_name', ['organizationId', 'name'])
export class ContactGroup {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'groups_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
