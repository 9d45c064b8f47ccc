import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tenant. All data belongs to one organization and is invisible to others. */
@Entity({ schema: 'tenancy', name: 'organizations' })
@Index('organizations_slug', ['slug'], { unique: true })
export class Organization {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organizations_pkey' })
  id: string;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  /** CIDRs that API keys may be used from; an empty list allows every address. */
  @Column('text', { name: 'ip_allowlist', array: true, default: () => "'{}'" })
  ipAllowlist: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
