import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A published version of a bot. Visitors talk to the version with the highest number. */
@Entity({ schema: 'bots', name: 'versions' })
@Index('versions_number', ['botId', 'number'], { unique: true })
export class BotVersion {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'versions_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  /** Starts at 1. */
  @Column('integer')
  number: number;

  /** The tone of the bot: `friendly`, `formal`, or any other word. */
  @Column('text')
  tone: string;

  @Column('text', { nullable: true })
  note: string | null;

  /** The user who published it; null for provisioning and keys. */
  @Column('uuid', { name: 'published_by', nullable: true })
  publishedBy: string | null;

  @Column('timestamptz', { name: 'published_at', default: () => 'now()' })
  publishedAt: Date;
}
