import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tenant. All data belongs to one organization and is invisible to others. */
@Entity({ schema: 'tenancy', name: 'organizations' })
@Index('organizations_slug', ['slug'], { unique: true })
@Index('organizations_test_of', ['testOf'], { unique: true })
@Check('organizations_test_id_check', `(test_of IS NOT NULL) = (substr(id::text, 15, 1) = '8')`)
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

  /** The live organization, whose test twin this one is; null for a live organization. */
  @Column('uuid', { name: 'test_of', nullable: true })
  testOf: string | null;

  /** The seconds by which the clock of a test organization was advanced. */
  @Column('integer', { name: 'test_clock_seconds', default: 0 })
  testClockSeconds: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
