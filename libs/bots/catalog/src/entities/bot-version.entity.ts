import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A publication of a bot. The one with the highest number is what visitors talk to. */
@Entity({ schema: 'bots', name: 'versions' })
@Index('versions_number', ['botId', 'number'], { unique: true })
export class BotVersion {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'versions_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  /** From 1. */
  @Column('integer')
  number: number;

  /** How the bot speaks: `friendly`, `formal`, or any other word. */
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
