import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TemplateCategory } from './category';

/** A part of a template, as the upstream spells it. */
export type TemplateComponent = { type: string; text?: string } & Record<string, unknown>;

/** A template of the upstream's catalogue, as it was when we last saw it. */
@Entity({ schema: 'chatapp', name: 'templates' })
@Index('templates_name', ['accountId', 'name', 'language'], { unique: true })
@Check('templates_category_check', `category IN ('marketing', 'utility', 'authentication')`)
export class ChatappTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** Who made it through the API; null for one that the upstream alone knows, which is everybody's. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text')
  name: string;

  @Column('text')
  language: string;

  @Column('text')
  category: TemplateCategory;

  /** PENDING, APPROVED, REJECTED, or what else the upstream says. */
  @Column('text')
  status: string;

  @Column('jsonb')
  components: TemplateComponent[];

  @Column('text', { name: 'upstream_id' })
  upstreamId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** When it was last seen upstream. */
  @Column('timestamptz', { name: 'seen_at', default: () => 'now()' })
  seenAt: Date;
}
