import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Credits per segment to a country; every other country costs 1. */
@Entity({ schema: 'sms', name: 'rates' })
@Check('rates_rate_check', 'rate >= 0 AND rate <= 1000000')
export class Rate {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'rates_pkey' })
  country: string;

  @Column('integer')
  rate: number;
}
