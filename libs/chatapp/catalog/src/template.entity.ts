import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TemplateCategory } from './prices/category';

/** A component of a template, in the provider's format. */
export type TemplateComponent = { type: string; text?: string } & Record<string, unknown>;

/** A mirrored template of the provider's catalog. */
@Entity({ schema: 'chatapp', name: 'templates' })
@Index('templates_name', ['accountId', 'name', 'language'], { unique: true })
@Check('templates_category_check', `category IN ('marketing', 'utility', 'authentication')`)
export class ChatappTemplate {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'templates_pkey' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  /** The organization that created it through the API; null for a template created at the provider, which is shared. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('text')
  name: string;

  @Column('text')
  language: string;

  @Column('text')
  category: TemplateCategory;

  /** PENDING, APPROVED, REJECTED, or another status of the provider. */
  @Column('text')
  status: string;

  @Column('jsonb')
  components: TemplateComponent[];

  /** How long the provider tries to deliver a message; -1: 30 days. Null: the provider's default for the category. */
  @Column('integer', { name: 'message_send_ttl_seconds', nullable: true })
  messageSendTtlSeconds: number | null;

  @Column('text', { name: 'upstream_id' })
  upstreamId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Last time at which the provider returned the template. */
  @Column('timestamptz', { name: 'seen_at', default: () => 'now()' })
  seenAt: Date;
}
