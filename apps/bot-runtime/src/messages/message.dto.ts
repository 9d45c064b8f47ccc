import type { StoredMessage } from '@heliograph/bot-conversations';
import { FIELD_TYPES, type FormField } from '@heliograph/bot-catalog';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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
  @ApiProperty({
    type: QuickReplyAction,
    description:
      'Action to send as `action` of the next message if the visitor selects this quick reply. The built-in FAQ `_person`, which a bot with hand-offs offers when it has no answer, requests a person',
  })
  action: QuickReplyAction;
}

export class FormFieldRecord {
  @ApiProperty()
  key: string;
  @ApiProperty()
  label: string;
  @ApiProperty({
    enum: FIELD_TYPES,
    description: 'Type of the field; `tel` and `mobile` have the same meaning as `phone`',
  })
  type: string;
  @ApiProperty()
  required: boolean;
  @ApiPropertyOptional({ type: [String], description: 'Options of a field of the type `select`' })
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
  @ApiProperty({ description: 'Plain text with basic Markdown: bold, italic, code, lists and links' })
  content: string;
  @ApiProperty({ enum: ['text', 'form'], description: '`form` marks the notice that a form was submitted' })
  contentType: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`author` is the author of an assistant message: `bot`, or `agent` with `agentName`. `sources` contains the sources of an answer',
  })
  metadata: Record<string, unknown>;
  @ApiProperty({ format: 'date-time', example: '2026-11-20T10:12:28.123Z' })
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
  @ApiProperty({
    type: FormRecord,
    nullable: true,
    description: 'Form that the visitor is asked to fill in; otherwise `null`',
  })
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
