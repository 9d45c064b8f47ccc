import { Check, Column, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export const BOT_STATUSES = ['draft', 'active', 'paused'] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** A bot of a workspace. Visitors can reach it while it is active and has a published version. */
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

  /** The id that pages embed. It is the only id of a bot that visitors see, and is safe to publish. */
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

  /** Free-form JSON object; `readSettings` reads the known settings. */
  @Column('jsonb', { default: {} })
  settings: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
