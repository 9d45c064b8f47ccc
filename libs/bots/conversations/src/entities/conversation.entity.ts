import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const CONVERSATION_STATUSES = ['open', 'ended', 'closed', 'archived'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const BOT_CHANNELS = ['web', 'hosted', 'chatapp', 'sms', 'email', 'api'] as const;
export type BotChannel = (typeof BOT_CHANNELS)[number];

/** What is known of the visitor's surroundings; of messaging channels only what the platform itself provides. */
export interface ClientContext {
  platform?: string;
  pageUrl?: string;
  referrer?: string;
  language?: string;
  /** A guess from the User-Agent. */
  browser?: string;
  os?: string;
  device?: 'desktop' | 'mobile' | 'tablet' | 'bot';
}

/** What one visitor and a bot, or a person in its place, say to each other. Turns are written by `bots.record_turns`. */
@Entity({ schema: 'bots', name: 'conversations' })
@Index('conversations_token', ['tokenHash'], { unique: true })
@Index('conversations_workspace', ['workspaceId', 'lastMessageAt', 'id'])
@Index('conversations_bot', ['botId', 'id'])
@Index('conversations_contact', ['contactId'], { where: 'contact_id IS NOT NULL' })
@Check('conversations_status_check', `status IN ('open', 'ended', 'closed', 'archived')`)
@Check('conversations_rating_check', 'rating BETWEEN 1 AND 5')
export class Conversation {
  /** UUIDv7 */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversations_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  /** The version that it began with. */
  @Column('uuid', { name: 'version_id' })
  versionId: string;

  /** SHA-256 of the token that opens it. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('text', { default: 'open' })
  status: ConversationStatus;

  @Column('text')
  channel: BotChannel;

  /** A person answers: the bot says nothing. */
  @Column('boolean', { name: 'is_taken_over', default: false })
  isTakenOver: boolean;

  /** Who took it over; null for a key, and while nobody has. */
  @Column('uuid', { name: 'taken_over_by', nullable: true })
  takenOverBy: string | null;

  @Column('timestamptz', { name: 'handoff_requested_at', nullable: true })
  handoffRequestedAt: Date | null;

  /** Of the newest message; 0: there is none. */
  @Column('integer', { name: 'last_seq', default: 0 })
  lastSeq: number;

  /** Rises with every change of status, take-over or feedback. */
  @Column('integer', { default: 0 })
  revision: number;

  /** What the reply engine keeps from one turn to the next. */
  @Column('jsonb', { default: {} })
  state: Record<string, unknown>;

  @Column('jsonb', { default: {} })
  client: ClientContext;

  @Column('uuid', { name: 'contact_id', nullable: true })
  contactId: string | null;

  @Column('smallint', { nullable: true })
  rating: number | null;

  @Column('text', { nullable: true })
  feedback: string | null;

  @Column('timestamptz', { name: 'feedback_at', nullable: true })
  feedbackAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** `visitor` or `agent` */
  @Column('text', { name: 'ended_by', nullable: true })
  endedBy: string | null;

  @Column('timestamptz', { name: 'last_message_at', default: () => 'now()' })
  lastMessageAt: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
