import { Injectable } from '@nestjs/common';
import { readTranscript } from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import { fingerprint, type Answer, type IdempotentCall } from '@heliograph/idempotency';
import { Pool } from 'pg';

import type { ConversationState } from './conversations.repository';
import { IdempotentTurnsService } from './idempotent-turns.service';
import { MessageRecord, ReplyRecord, type MessageAnswer, type Transcript } from './records.dto';
import { readMessage } from './requests';
import { cursorAfter, type TranscriptPage } from './transcript-page';
import { TurnsService, type RecordedTurn } from './turns.service';

interface MessageCall {
  /** The request body before validation. */
  fields: Record<string, unknown>;
  key: string | undefined;
  correlationId: string;
  onDelta?: (text: string) => void;
}

@Injectable()
export class MessagesService {
  constructor(
    private readonly pool: Pool,
    private readonly turns: TurnsService,
    private readonly idempotentTurns: IdempotentTurnsService,
  ) {}

  /** Throws EMPTY_MESSAGE, MESSAGE_TOO_LONG, INVALID_ACTION, CONVERSATION_CLOSED, BOT_UNAVAILABLE. */
  send(conversation: ConversationState, { fields, key, correlationId, onDelta }: MessageCall) {
    const { message = null, action = null } = fields;
    const call: IdempotentCall | null =
      key === undefined
        ? null
        : { callerId: conversation.id, endpoint: 'bot.message', key, fingerprint: fingerprint({ message, action }) };
    const first = async (claimed: IdempotentCall | null): Promise<MessageAnswer | 'repeated'> => {
      const request = readMessage(fields);
      const turn = await this.turns.take(conversation, {
        input: { kind: 'message', text: request.message, action: request.action, isOpening: false },
        question: {
          id: newId(),
          content: request.message,
          content_type: 'text',
          metadata: request.action ? { action: request.action } : {},
        },
        submission: null,
        contact: null,
        call: claimed,
        correlationId,
        ...(onDelta ? { onDelta } : {}),
      });
      return turn === 'repeated' ? turn : answerOf(turn);
    };
    return this.idempotentTurns.run(call, { first, repeat: answerOf }) satisfies Promise<Answer<MessageAnswer>>;
  }

  async transcript({ id }: ConversationState, { limit, afterSeq }: TranscriptPage): Promise<Transcript> {
    const messages = await readTranscript(this.pool, id, afterSeq, limit + 1);
    const shown = messages.slice(0, limit);
    const last = shown.at(-1);
    return {
      messages: shown.map((message) => MessageRecord.of(message)),
      ...(messages.length > limit && last ? { nextCursor: cursorAfter(id, last.seq) } : {}),
    };
  }
}

function answerOf({ question, reply, paused }: RecordedTurn): MessageAnswer {
  return { userMessage: MessageRecord.of(question), reply: reply && ReplyRecord.of(reply), paused };
}
