import type { Timestamp, Uuid } from '@heliograph/contracts';
import type { StoredMessage } from '@heliograph/bot-conversations';
import { FIELD_TYPES, type FormField } from '@heliograph/bot-catalog';
import { ApiProperty } from '@nestjs/swagger';

export class QuickReplyAction {
  type: 'faq';
  id: string;
}

export class QuickReplyRecord {
  id: string;
  label: string;
  type: 'faq';
  /**
   * Action to send as `action` of the next message if the visitor selects this quick reply. The built-in FAQ `_person`, which a bot with
   * hand-offs offers when it has no answer, requests a person.
   */
  action: QuickReplyAction;
}

export class FormFieldRecord {
  key: string;
  label: string;
  /** Type of the field; `tel` and `mobile` have the same meaning as `phone`. */
  @ApiProperty({ enum: FIELD_TYPES })
  type: string;
  required: boolean;
  /** Options of a field of the type `select`. */
  options?: string[];

  static of({ key, label, type, required, options }: FormField): FormFieldRecord {
    return { key, label, type, required, ...(type === 'select' ? { options: options ?? [] } : {}) };
  }
}

export class FormRecord {
  id: string;
  title: string;
  fields: FormFieldRecord[];
}

class SaidRecord {
  id: Uuid;
  @ApiProperty({ enum: ['user', 'assistant'] })
  role: string;
  /** Plain text with basic Markdown: bold, italic, code, lists and links. */
  content: string;
  /** `form` marks the notice that a form was submitted. */
  @ApiProperty({ enum: ['text', 'form'] })
  contentType: string;
  /** `author` is the author of an assistant message: `bot`, or `agent` with `agentName`. `sources` contains the sources of an answer. */
  metadata: Record<string, unknown>;
  /** @example 2026-11-20T10:12:28.123Z */
  createdAt: Timestamp;
  quickReplies?: QuickReplyRecord[];
}

export class MessageRecord extends SaidRecord {
  form?: FormRecord;

  static of(message: SaidMessage): MessageRecord {
    return { ...saidRecord(message), ...(message.form ? { form: message.form } : {}) };
  }
}

/** A bot message in the response to a turn. */
export class ReplyRecord extends SaidRecord {
  /** Form that the visitor is asked to fill in; otherwise `null`. */
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
