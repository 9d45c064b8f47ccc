import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Category } from './category';

/** Matches every country without its own price. */
export const ANY_COUNTRY = '*';

/** The price of a message from a given time on: base cost and markup, in minor units of the currency. */
@Entity({ schema: 'chatapp', name: 'prices' })
@Index('prices_validity', ['country', 'category', 'validFrom'], { unique: true })
@Check('prices_category_check', `category IN ('marketing', 'utility', 'authentication', 'service')`)
@Check('prices_amounts_check', 'base_cost BETWEEN 0 AND 1000000000 AND markup BETWEEN 0 AND 1000000000')
export class ChatappPrice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'prices_pkey' })
  id: string;

  /** ISO 3166-1 alpha-2, or `*`. */
  @Column('text')
  country: string;

  @Column('text')
  category: Category;

  @Column('integer', { name: 'base_cost' })
  baseCost: number;

  @Column('integer')
  markup: number;

  /** ISO 4217. */
  @Column('text')
  currency: string;

  @Column('timestamptz', { name: 'valid_from' })
  validFrom: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
