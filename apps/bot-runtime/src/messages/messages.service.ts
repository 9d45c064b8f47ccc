import { Injectable } from '@nestjs/common';
import { readTranscript } from '@heliograph/bot-conversations';
import { newId } from '@heliograph/database';
import { IdempotencyService } from '@heliograph/idempotency';
import { pageSizeOf } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { ConversationState } from '../visitors/conversations.repository';
import { TurnResponses } from '../turns/turn-responses';
import { TurnsService, type RecordedTurn, type TurnCall } from '../turns/turns.service';
import { MessageRecord, ReplyRecord } from './message.dto';
import { actionOf, type SendMessageRequest, type SendMessageResponse } from './send-message.dto';
import { readTranscriptCursor, transcriptCursor } from './transcript-cursor';
import { DEFAULT_TRANSCRIPT_SIZE, type Transcript, type TranscriptQuery } from './transcript.dto';

@Injectable()
export class MessagesService {
  constructor(
    private readonly pool: Pool,
    private readonly turns: TurnsService,
    private readonly idempotency: IdempotencyService,
    private readonly answers: TurnResponses,
  ) {}

  /** Throws INVALID_ACTION, CONVERSATION_CLOSED, BOT_UNAVAILABLE. */
  async send(
    conversation: ConversationState,
    { message, action: given }: SendMessageRequest,
    call: TurnCall,
  ): Promise<SendMessageResponse> {
    const record = (): Promise<RecordedTurn> => {
      const action = given ? actionOf(given) : null;
      return this.turns.take(conversation, {
        ...call,
        input: { kind: 'message', text: message, action, isOpening: false },
        question: { id: newId(), content: message, content_type: 'text', metadata: action ? { action } : {} },
        submission: null,
        contact: null,
      });
    };
    const { question, reply, paused } = await this.idempotency.run(call.claim, record, this.answers);
    return { userMessage: MessageRecord.of(question), reply: reply && ReplyRecord.of(reply), paused };
  }

  /** Throws INVALID_REQUEST for a cursor of another conversation. */
  async transcript({ id }: ConversationState, query: TranscriptQuery): Promise<Transcript> {
    const { cursor } = query;
    const limit = pageSizeOf(query.limit, DEFAULT_TRANSCRIPT_SIZE);
    const afterSeq = cursor === undefined ? 0 : readTranscriptCursor(id, cursor);
    const messages = await readTranscript(this.pool, id, afterSeq, limit + 1);
    const shown = messages.slice(0, limit);
    const last = shown.at(-1);
    return {
      messages: shown.map((message) => MessageRecord.of(message)),
      ...(messages.length > limit && last ? { nextCursor: transcriptCursor(id, last.seq) } : {}),
    };
  }
}
