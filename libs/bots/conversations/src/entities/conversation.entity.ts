import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const CONVERSATION_STATUSES = ['open', 'ended', 'closed', 'archived'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const BOT_CHANNELS = ['web', 'hosted', 'chatapp', 'sms', 'email', 'api'] as const;
export type BotChannel = (typeof BOT_CHANNELS)[number];

/** Client context of the visitor. Messaging channels contain only what the provider reports. */
export interface ClientContext {
  platform?: string;
  pageUrl?: string;
  referrer?: string;
  language?: string;
  /** Derived from the User-Agent header. */
  browser?: string;
  os?: string;
  device?: 'desktop' | 'mobile' | 'tablet' | 'bot';
}

/** A conversation between one visitor and a bot or an agent. `bots.record_turns` writes its turns. */
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

  /** The version at the start of the conversation. */
  @Column('uuid', { name: 'version_id' })
  versionId: string;

  /** SHA-256 of the conversation token. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('text', { default: 'open' })
  status: ConversationStatus;

  @Column('text')
  channel: BotChannel;

  /** An agent has taken over; the bot does not reply. */
  @Column('boolean', { name: 'is_taken_over', default: false })
  isTakenOver: boolean;

  /** The user id of the agent; null for an API key, and while the conversation is not taken over. */
  @Column('uuid', { name: 'taken_over_by', nullable: true })
  takenOverBy: string | null;

  @Column('timestamptz', { name: 'handoff_requested_at', nullable: true })
  handoffRequestedAt: Date | null;

  /** `seq` of the newest message; 0 if there is none. */
  @Column('integer', { name: 'last_seq', default: 0 })
  lastSeq: number;

  /** Increases with every change of status, take-over or feedback. */
  @Column('integer', { default: 0 })
  revision: number;

  /** State of the reply engine between turns. */
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
