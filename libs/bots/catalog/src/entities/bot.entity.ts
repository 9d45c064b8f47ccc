import { Check, Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export const BOT_STATUSES = ['draft', 'active', 'paused'] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** A bot of a workspace. Visitors reach it while it is active and a version of it is published. */
@Entity({ schema: 'bots', name: 'bots' })
@Index('bots_public_id', ['publicId'], { unique: true })
@Index('bots_slug', ['workspaceId', 'slug'], { unique: true })
@Index('bots_organization', ['organizationId', 'id'])
@Check('bots_status_check', `status IN ('draft', 'active', 'paused')`)
export class Bot {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bots_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  /** What pages carry: safe to show, the only id of a bot that visitors see. */
  @Column('text', { name: 'public_id' })
  publicId: string;

  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  /** BCP 47 */
  @Column('text', { default: 'en' })
  locale: string;

  @Column('text', { default: 'draft' })
  status: BotStatus;

  @Column('text', { name: 'avatar_url', nullable: true })
  avatarUrl: string | null;

  /** Free-form; `readSettings` says what of it means something. */
  @Column('jsonb', { default: {} })
  settings: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
