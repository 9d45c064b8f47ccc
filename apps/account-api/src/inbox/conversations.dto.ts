import { ApiProperty, ApiPropertyOptional, ApiPropertyOptions } from '@nestjs/swagger';
import {
  BOT_CHANNELS,
  CONVERSATION_STATUSES,
  type BotChannel,
  type ClientContext,
  type ConversationStatus,
  type InlineForm,
  type QuickReply,
  type StoredMessage,
} from '@heliograph/bot-conversations';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../http/answers';
import { ForeignPageQuery } from '../http/page.query';
import { optionalText, optionalTimestamp } from '../http/schemas';
import { IsNonBlankText, Optional, IsTrueOrFalse, IsOneOf, FLAGS, type Flag } from '../http/rules';
import type { ConversationRow } from './conversations.repository';

const SET_BY_AGENTS = ['open', 'closed', 'archived'] as const;
const AUTHORS = ['visitor', 'bot', 'agent'] as const;
const ORDERS = ['asc', 'desc'] as const;
export const MAX_REPLY_LENGTH = 4_000;
const freeForm: ApiPropertyOptions = { type: 'object', additionalProperties: true };

export class NamedBot {
  @ApiProperty({ example: 'bot_acme_help' })
  id: string;
  @ApiProperty()
  name: string;
}

export class ContactSummary {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty(optionalText)
  name: string | null;
  @ApiProperty(optionalText)
  email: string | null;
  @ApiProperty(optionalText)
  phone: string | null;
}

export class MessageExcerpt {
  @ApiProperty({ enum: AUTHORS })
  author: (typeof AUTHORS)[number];
  @ApiProperty({ description: 'The first 200 characters of the message' })
  content: string;
}

export class ConversationFeedback {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  rating: number;
  @ApiProperty(optionalText)
  message: string | null;
  @ApiProperty(optionalTimestamp)
  createdAt: string | null;
}

export class ConversationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  bot: NamedBot;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: ConversationStatus;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: BotChannel;
  @ApiProperty({ description: 'True if an agent has taken over. The bot then sends no replies' })
  takenOver: boolean;
  @ApiProperty({
    ...optionalText,
    format: 'uuid',
    description: 'Id of the user who has taken over; `null` for an API key',
  })
  takenOverBy: string | null;
  @ApiProperty({ ...optionalTimestamp, description: 'Time since which the visitor is waiting for an agent' })
  handoffRequestedAt: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Number of visitor messages since the last agent reply, while an agent is requested or has taken over',
  })
  unreadCount: number;
  @ApiProperty({ type: 'integer' })
  messageCount: number;
  @ApiProperty({ type: MessageExcerpt, nullable: true })
  lastMessage: MessageExcerpt | null;
  @ApiProperty({ ...freeForm, description: 'Visitor details: page, referrer, language, browser' })
  client: ClientContext;
  @ApiProperty({ type: ContactSummary, nullable: true })
  contact: ContactSummary | null;
  @ApiProperty({ type: ConversationFeedback, nullable: true })
  feedback: ConversationFeedback | null;
  @ApiProperty(optionalTimestamp)
  endedAt: string | null;
  @ApiProperty({ ...optionalText, description: 'Who ended the conversation: `visitor` or `agent`' })
  endedBy: string | null;
  @ApiProperty({ format: 'date-time' })
  lastMessageAt: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  static of(row: ConversationRow): ConversationRecord {
    const { id, status, channel, takenOver, takenOverBy, messageCount, unreadCount, client, contact, endedBy } = row;
    const { lastMessage, rating } = row;
    return {
      id,
      bot: { id: row.botId, name: row.botName },
      status,
      channel,
      takenOver,
      takenOverBy,
      handoffRequestedAt: v1Timestamp(row.handoffRequestedAt),
      unreadCount,
      messageCount,
      lastMessage: lastMessage && {
        author: authorOf(lastMessage.role, lastMessage.author),
        content: lastMessage.excerpt,
      },
      client,
      contact,
      feedback: rating === null ? null : { rating, message: row.feedback, createdAt: v1Timestamp(row.feedbackAt) },
      endedAt: v1Timestamp(row.endedAt),
      endedBy,
      lastMessageAt: row.lastMessageAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

export class OneConversation extends One('conversation', ConversationRecord) {}

export class ConversationPage extends ListOf('conversations', ConversationRecord) {}

export class ConversationQuery extends ForeignPageQuery {
  @ApiPropertyOptional({ enum: CONVERSATION_STATUSES })
  @Optional()
  @IsOneOf(CONVERSATION_STATUSES)
  status?: ConversationStatus;
  @ApiPropertyOptional({ example: 'bot_acme_help' })
  @Optional()
  @IsNonBlankText(200)
  botId?: string;
  @ApiPropertyOptional({ enum: FLAGS })
  @Optional()
  @IsOneOf(FLAGS)
  takenOver?: Flag;
  @ApiPropertyOptional({
    enum: FLAGS,
    description: '`true` returns open conversations with a pending hand-off, `false` returns all other conversations',
  })
  @Optional()
  @IsOneOf(FLAGS)
  handoff?: Flag;
}

export class ChangeConversationRequest {
  @ApiPropertyOptional({ enum: SET_BY_AGENTS })
  @Optional()
  @IsOneOf(SET_BY_AGENTS)
  status?: (typeof SET_BY_AGENTS)[number];
  @ApiPropertyOptional({
    description:
      '`true` stops the replies of the bot, because an agent takes over. `false` returns the conversation to the bot',
  })
  @Optional()
  @IsTrueOrFalse()
  takenOver?: boolean;
}

export class ConversationMessageRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: ['user', 'assistant'] })
  role: 'user' | 'assistant';
  @ApiProperty({ enum: AUTHORS })
  author: (typeof AUTHORS)[number];
  @ApiProperty({ ...optionalText, description: 'Name of the agent' })
  agentName: string | null;
  @ApiProperty()
  content: string;
  @ApiProperty({ enum: ['text', 'form'] })
  contentType: 'text' | 'form';
  @ApiProperty(freeForm)
  metadata: Record<string, unknown>;
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true } })
  quickReplies?: QuickReply[];
  @ApiPropertyOptional(freeForm)
  form?: InlineForm;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of(message: Omit<StoredMessage, 'seq'>): ConversationMessageRecord {
    const { id, role, content, contentType, metadata, quickReplies, form, createdAt } = message;
    const { author, agentName } = metadata;
    return {
      id,
      role,
      author: authorOf(role, author),
      agentName: typeof agentName === 'string' ? agentName : null,
      content,
      contentType,
      metadata,
      ...(quickReplies === null || quickReplies.length === 0 ? {} : { quickReplies }),
      ...(form === null ? {} : { form }),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class OneConversationMessage extends One('message', ConversationMessageRecord) {}

export class ConversationMessagePage extends ListOf('messages', ConversationMessageRecord) {}

export class ConversationMessageQuery extends ForeignPageQuery {
  @ApiPropertyOptional({
    enum: ORDERS,
    default: 'asc',
    description: '`asc` returns the oldest messages first, `desc` the newest messages',
  })
  @Optional()
  @IsOneOf(ORDERS)
  order: (typeof ORDERS)[number] = 'asc';
}

export class AgentReplyRequest {
  @ApiProperty({ example: 'Hello, this is Ann. Let me look into it.', maxLength: MAX_REPLY_LENGTH })
  @IsNonBlankText(2 * MAX_REPLY_LENGTH)
  message: string;
}

function authorOf(role: 'user' | 'assistant', author: unknown): (typeof AUTHORS)[number] {
  if (role === 'user') return 'visitor';
  return author === 'agent' ? 'agent' : 'bot';
}
