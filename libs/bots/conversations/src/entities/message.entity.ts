import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export interface QuickReply {
  id: string;
  label: string;
  type: 'faq';
  /** The client sends it back as the `action` of the next message. */
  action: { type: 'faq'; id: string };
}

export interface InlineForm {
  id: string;
  title: string;
  fields: { key: string; label: string; type: string; required: boolean; options?: string[] }[];
}

/** One message of a conversation. `seq` starts at 1, has no gaps, and defines the order. */
@Entity({ schema: 'bots', name: 'messages' })
@Index('messages_id', ['id', 'conversationId'], { unique: true })
@Check('messages_role_check', `role IN ('user', 'assistant')`)
@Check('messages_content_type_check', `content_type IN ('text', 'form')`)
export class ConversationMessage {
  @PrimaryColumn('uuid', { name: 'conversation_id', primaryKeyConstraintName: 'messages_pkey' })
  conversationId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'messages_pkey' })
  seq: number;

  /** UUIDv7 */
  @Column('uuid')
  id: string;

  @Column('text')
  role: 'user' | 'assistant';

  @Column('text')
  content: string;

  @Column('text', { name: 'content_type' })
  contentType: 'text' | 'form';

  /** `author` names the author of an assistant message: `bot`, or `agent` with `agentName`. */
  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  @Column('jsonb', { name: 'quick_replies', nullable: true })
  quickReplies: QuickReply[] | null;

  @Column('jsonb', { nullable: true })
  form: InlineForm | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** The X-Request-Id of the request that stored the message. The question and the reply of a turn have the same one. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;

  /** Id of the API key that sent the message. Null if a visitor, the bot or a user of the console sent it. */
  @Column('uuid', { name: 'key_id', nullable: true })
  keyId: string | null;

  @Column('text', { name: 'client_address', nullable: true })
  clientAddress: string | null;
}
