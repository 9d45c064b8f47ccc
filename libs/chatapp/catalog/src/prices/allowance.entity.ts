import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Category } from './category';

/** Free messages of a category from a given time on. Without a rule, no message of the category is free. */
@Entity({ schema: 'chatapp', name: 'allowances' })
@Index('allowances_validity', ['category', 'validFrom'], { unique: true })
@Check('allowances_category_check', `category IN ('marketing', 'utility', 'authentication', 'service')`)
@Check('allowances_monthly_limit_check', 'monthly_limit >= 0')
export class ChatappAllowance {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'allowances_pkey' })
  id: string;

  @Column('text')
  category: Category;

  /** Whether messages are free; false ends an earlier rule. Only messages inside an open window are free. */
  @Column('boolean', { name: 'is_free' })
  isFree: boolean;

  /** Free messages of a workspace per calendar month (UTC); null is unlimited. */
  @Column('integer', { name: 'monthly_limit', nullable: true })
  monthlyLimit: number | null;

  @Column('timestamptz', { name: 'valid_from' })
  validFrom: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
