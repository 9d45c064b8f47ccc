import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional, ApiPropertyOptions } from '@nestjs/swagger';
import {
  BOT_CHANNELS,
  CONVERSATION_STATUSES,
  type ClientContext,
  type InlineForm,
  type QuickReply,
  type StoredMessage,
} from '@heliograph/bot-conversations';
import { v1Timestamp } from '@heliograph/service-kit';
import { One, ListOf } from '../../http/answers';
import { ForeignPageQuery } from '../../http/page.query';
import { IsNonBlankText, Optional, IsTrueOrFalse, IsOneOf, FLAGS } from '../../http/rules';
import type { ConversationRow } from './conversations.repository';

const SET_BY_AGENTS = ['open', 'closed', 'archived'] as const;
const ORDERS = ['asc', 'desc'] as const;
export const MAX_REPLY_LENGTH = 4_000;
const freeForm: ApiPropertyOptions = { type: 'object', additionalProperties: true };

export class NamedBot {
  /** @example bot_acme_help */
  id: string;
  name: string;
}

export class ContactSummary {
  id: Uuid;
  name: string | null;
  email: string | null;
  phone: string | null;
}

export class MessageExcerpt {
  author: 'visitor' | 'bot' | 'agent';
  /** The first 200 characters of the message. */
  content: string;
}

export class ConversationFeedback {
  @ApiProperty({ minimum: 1, maximum: 5 })
  rating: Integer;
  message: string | null;
  createdAt: Timestamp | null;
}

export class ConversationRecord {
  id: Uuid;
  bot: NamedBot;
  status: (typeof CONVERSATION_STATUSES)[number];
  channel: (typeof BOT_CHANNELS)[number];
  /** True if an agent has taken over. The bot then sends no replies. */
  takenOver: boolean;
  /** Id of the user who has taken over; `null` for an API key. */
  takenOverBy: Uuid | null;
  /** Time since which the visitor is waiting for an agent. */
  handoffRequestedAt: Timestamp | null;
  /** Number of visitor messages since the last agent reply, while an agent is requested or has taken over. */
  @ApiProperty({ minimum: 0, maximum: 100 })
  unreadCount: Integer;
  messageCount: Integer;
  lastMessage: MessageExcerpt | null;
  @ApiProperty({ ...freeForm, description: 'Visitor details: page, referrer, language, browser' })
  client: ClientContext;
  contact: ContactSummary | null;
  feedback: ConversationFeedback | null;
  endedAt: Timestamp | null;
  /** Who ended the conversation: `visitor` or `agent`. */
  endedBy: string | null;
  lastMessageAt: Timestamp;
  createdAt: Timestamp;
  updatedAt: Timestamp;

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
  @Optional()
  @IsOneOf(CONVERSATION_STATUSES)
  status?: (typeof CONVERSATION_STATUSES)[number];
  /** @example bot_acme_help */
  @Optional()
  @IsNonBlankText(200)
  botId?: string;
  @Optional()
  @IsOneOf(FLAGS)
  takenOver?: (typeof FLAGS)[number];
  /** `true` returns open conversations with a pending hand-off, `false` returns all other conversations. */
  @Optional()
  @IsOneOf(FLAGS)
  handoff?: (typeof FLAGS)[number];
}

export class ChangeConversationRequest {
  @Optional()
  @IsOneOf(SET_BY_AGENTS)
  status?: (typeof SET_BY_AGENTS)[number];
  /** `true` stops the replies of the bot, because an agent takes over. `false` returns the conversation to the bot. */
  @Optional()
  @IsTrueOrFalse()
  takenOver?: boolean;
}

export class ConversationMessageRecord {
  id: Uuid;
  role: 'user' | 'assistant';
  author: 'visitor' | 'bot' | 'agent';
  /** Name of the agent. */
  agentName: string | null;
  content: string;
  contentType: 'text' | 'form';
  @ApiProperty(freeForm)
  metadata: Record<string, unknown>;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  quickReplies?: QuickReply[];
  @ApiPropertyOptional(freeForm)
  form?: InlineForm;
  createdAt: Timestamp;

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
  /**
   * `asc` returns the oldest messages first, `desc` the newest messages.
   * @default asc
   */
  @Optional()
  @IsOneOf(ORDERS)
  order: (typeof ORDERS)[number] = 'asc';
}

export class AgentReplyRequest {
  /** @example Hello, this is Ann. Let me look into it. */
  @ApiProperty({ maxLength: MAX_REPLY_LENGTH })
  @IsNonBlankText(2 * MAX_REPLY_LENGTH)
  message: string;
}

function authorOf(role: 'user' | 'assistant', author: unknown): 'visitor' | 'bot' | 'agent' {
  if (role === 'user') return 'visitor';
  return author === 'agent' ? 'agent' : 'bot';
}
