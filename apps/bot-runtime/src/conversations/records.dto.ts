import { BOT_CHANNELS, CONVERSATION_STATUSES, type StoredMessage } from '@heliograph/bot-conversations';
import { FIELD_TYPES, type AvailableBot, type FormField } from '@heliograph/bot-catalog';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ConversationState } from './conversations.repository';

const TIMESTAMP = { type: String, format: 'date-time', example: '2026-11-20T10:12:28.123Z' } as const;

export class Feedback {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  rating: number;
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
  @ApiProperty(TIMESTAMP)
  createdAt: string;

  static of({ rating, feedback, feedbackAt }: Pick<ConversationState, 'rating' | 'feedback' | 'feedbackAt'>) {
    if (rating === null || feedbackAt === null) return null;
    return { rating, message: feedback, createdAt: feedbackAt.toISOString() } satisfies Feedback;
  }
}

export class ConversationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: string;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: string;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
  @ApiProperty(TIMESTAMP)
  updatedAt: string;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  endedAt: string | null;
  @ApiProperty({ type: String, enum: ['visitor', 'agent', null], nullable: true })
  endedBy: string | null;
  @ApiProperty({ type: Feedback, nullable: true })
  feedback: Feedback | null;

  static of(conversation: Omit<ConversationState, 'botPublicId' | 'state'>): ConversationRecord {
    const { id, status, channel, createdAt, updatedAt, endedAt, endedBy } = conversation;
    return {
      id,
      status,
      channel,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      endedBy,
      feedback: Feedback.of(conversation),
    };
  }
}

export class QuickReplyAction {
  @ApiProperty({ enum: ['faq'] })
  type: 'faq';
  @ApiProperty()
  id: string;
}

export class QuickReplyRecord {
  @ApiProperty()
  id: string;
  @ApiProperty()
  label: string;
  @ApiProperty({ enum: ['faq'] })
  type: 'faq';
  @ApiProperty({ type: QuickReplyAction, description: 'Send it back as the action of the next message' })
  action: QuickReplyAction;
}

export class FormFieldRecord {
  @ApiProperty()
  key: string;
  @ApiProperty()
  label: string;
  @ApiProperty({ enum: FIELD_TYPES, description: 'tel and mobile are reported as phone' })
  type: string;
  @ApiProperty()
  required: boolean;
  @ApiPropertyOptional({ type: [String], description: 'The options of a select field' })
  options?: string[];

  static of({ key, label, type, required, options }: FormField): FormFieldRecord {
    return { key, label, type, required, ...(type === 'select' ? { options: options ?? [] } : {}) };
  }
}

export class FormRecord {
  @ApiProperty()
  id: string;
  @ApiProperty()
  title: string;
  @ApiProperty({ type: [FormFieldRecord] })
  fields: FormFieldRecord[];
}

class SaidRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: ['user', 'assistant'] })
  role: string;
  @ApiProperty({ description: 'Plain text with basic Markdown: bold, italic, code, lists, links' })
  content: string;
  @ApiProperty({ enum: ['text', 'form'], description: 'form: a notice that a form was submitted' })
  contentType: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'author is the author of an assistant message: bot, or agent with agentName. sources are the sources of an answer',
  })
  metadata: Record<string, unknown>;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
  @ApiPropertyOptional({ type: [QuickReplyRecord] })
  quickReplies?: QuickReplyRecord[];
}

export class MessageRecord extends SaidRecord {
  @ApiPropertyOptional({ type: FormRecord })
  form?: FormRecord;

  static of(message: SaidMessage): MessageRecord {
    return { ...saidRecord(message), ...(message.form ? { form: message.form } : {}) };
  }
}

/** A bot message in the response to a turn. */
export class ReplyRecord extends SaidRecord {
  @ApiProperty({ type: FormRecord, nullable: true, description: 'Null unless the reply asks for a form' })
  form: FormRecord | null;

  static of(message: SaidMessage): ReplyRecord {
    return { ...saidRecord(message), form: message.form };
  }
}

function saidRecord({ id, role, content, contentType, metadata, createdAt, quickReplies }: SaidMessage): SaidRecord {
  return {
    id,
    role,
    content,
    contentType,
    metadata,
    createdAt: createdAt.toISOString(),
    ...(quickReplies?.length ? { quickReplies } : {}),
  };
}

/** A message without its position in the conversation. */
export type SaidMessage = Omit<StoredMessage, 'seq'>;

export class StartedConversation {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: ['open'] })
  status: string;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: string;
}

export class BotVersionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: 'integer' })
  version: number;
}

export class BotRecord {
  @ApiProperty({ description: 'Public id of the bot' })
  id: string;
  @ApiProperty()
  name: string;
  @ApiProperty()
  slug: string;
  @ApiProperty({ description: 'BCP 47' })
  locale: string;
  @ApiProperty({ type: BotVersionRecord })
  version: BotVersionRecord;

  static of({ publicId, name, slug, locale, version }: AvailableBot): BotRecord {
    return { id: publicId, name, slug, locale, version: { id: version.id, version: version.number } };
  }
}

export class ShortcutRecord {
  @ApiProperty()
  id: string;
  @ApiProperty()
  label: string;
  @ApiProperty({ example: '/returns' })
  command: string;
  @ApiProperty()
  description: string;
  @ApiProperty({ example: 'knowledge_query' })
  type: string;
  @ApiProperty({ type: 'integer' })
  displayOrder: number;
}

/** The response of a start. */
export class StartAnswer {
  @ApiProperty({ type: StartedConversation })
  conversation: StartedConversation;
  @ApiProperty({
    pattern: '^bcs_[0-9A-Za-z]{43,}$',
    description: 'Access token of this conversation, returned only once',
  })
  conversationToken: string;
  @ApiProperty({ type: BotRecord })
  bot: BotRecord;
  @ApiProperty({ description: 'Show it before the first message; it is not part of the transcript' })
  greeting: string;
  @ApiProperty({ type: [ShortcutRecord] })
  shortcuts: ShortcutRecord[];
  @ApiProperty({ type: [FormRecord] })
  forms: FormRecord[];
  @ApiPropertyOptional({ type: ReplyRecord, description: 'Only present when a message was sent' })
  reply?: ReplyRecord;
}

export class MessageAnswer {
  @ApiProperty({ type: MessageRecord })
  userMessage: MessageRecord;
  @ApiProperty({ type: ReplyRecord, nullable: true, description: 'Null while an agent answers instead of the bot' })
  reply: ReplyRecord | null;
  @ApiProperty({ description: 'An agent has taken over the conversation' })
  paused: boolean;
}

export class SubmissionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  formId: string;
  @ApiProperty({ format: 'uuid' })
  conversationId: string;
  @ApiProperty({ enum: ['received'] })
  status: string;
}

export class SubmissionAnswer {
  @ApiProperty({ type: SubmissionRecord })
  submission: SubmissionRecord;
  @ApiProperty({ type: MessageRecord })
  userMessage: MessageRecord;
  @ApiProperty({ type: ReplyRecord, nullable: true })
  reply: ReplyRecord | null;
}

export class Transcript {
  @ApiProperty({ type: [MessageRecord], description: 'Oldest first' })
  messages: MessageRecord[];
  @ApiPropertyOptional({ description: 'Cursor of the next page; absent on the last page' })
  nextCursor?: string;
}

export class ConversationAnswer {
  @ApiProperty({ type: ConversationRecord })
  conversation: ConversationRecord;
}

export class FeedbackAnswer {
  @ApiProperty({ type: Feedback })
  feedback: Feedback;
}
