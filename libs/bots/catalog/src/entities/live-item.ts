import { Column, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Columns of every content item. Visitors see an item only if it is enabled and published. */
export abstract class LiveItem {
  abstract id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  @Column('boolean', { name: 'is_enabled', default: true })
  isEnabled: boolean;

  @Column('boolean', { name: 'is_published', default: true })
  isPublished: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

export const primaryId = (table: string) => PrimaryColumn('uuid', { primaryKeyConstraintName: `${table}_pkey` });
