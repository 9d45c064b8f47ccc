import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A customer. Everything belongs to one; another organization's things do not exist for it. */
@Entity({ schema: 'tenancy', name: 'organizations' })
@Index('organizations_slug', ['slug'], { unique: true })
export class Organization {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organizations_pkey' })
  id: string;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  /** CIDRs that its keys may be used from; empty: from anywhere. */
  @Column('text', { name: 'ip_allowlist', array: true, default: () => "'{}'" })
  ipAllowlist: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
