import { Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A stored template in Liquid. */
@Entity({ schema: 'email', name: 'templates' })
@Index('templates_slug', ['organizationId', 'slug'], { unique: true })
export class EmailTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  subject: string | null;

  @Column('text', { nullable: true })
  html: string | null;

  @Column('text', { nullable: true })
  text: string | null;

  /** The unsubscribe scope of emails with this template; null: the default. A send can set another scope. */
  @Column('text', { name: 'unsubscribe_scope', nullable: true })
  unsubscribeScope: string | null;

  /** Root names that the parts use, stored so that lists need not parse the parts. */
  @Column('text', { array: true })
  variables: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
