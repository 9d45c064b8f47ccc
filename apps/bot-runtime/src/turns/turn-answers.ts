import { Injectable } from '@nestjs/common';
import { readMessages, type StoredTurn } from '@heliograph/bot-conversations';
import { AppError } from '@heliograph/errors';
import type { IdempotentCall, PendingAnswers } from '@heliograph/idempotency';
import { Pool } from 'pg';
import { MessageRecord, ReplyRecord } from '../messages/message.dto';
import type { SendMessageResponse } from '../messages/send-message.dto';
import type { SubmitFormResponse } from '../submissions/submit-form.dto';
import type { RecordedTurn } from './turns.service';

/** Derives the response to a turn from its messages; the claim of an Idempotency-Key only stores the message ids. */
@Injectable()
export class TurnAnswers implements PendingAnswers {
  constructor(private readonly pool: Pool) {}

  referenceIn(stored: object): StoredTurn {
    return stored as StoredTurn;
  }

  async answerOf(
    { questionId, replyId, paused, submissionId }: StoredTurn,
    { callerId: conversationId }: Pick<IdempotentCall, 'callerId'>,
  ): Promise<object> {
    const ids = [questionId, replyId].filter((id) => id !== null);
    const messages = await readMessages(this.pool, conversationId, ids);
    const question = messages.find(({ id }) => id === questionId);
    if (!question) {
      throw new AppError(
        'NOT_FOUND',
        'The response for this Idempotency-Key has been deleted. Send the request with a new key.',
      );
    }
    const turn = { question, reply: messages.find(({ id }) => id === replyId) ?? null, paused };
    if (submissionId === null) return sendMessageResponse(turn);
    return submitFormResponse(conversationId, submissionId, turn);
  }
}

export function sendMessageResponse({ question, reply, paused }: RecordedTurn): SendMessageResponse {
  return { userMessage: MessageRecord.of(question), reply: reply && ReplyRecord.of(reply), paused };
}

export function submitFormResponse(
  conversationId: string,
  id: string,
  { question, reply }: RecordedTurn,
): SubmitFormResponse {
  const formId = String(question.metadata['formId']);
  return {
    submission: { id, formId, conversationId, status: 'received' },
    userMessage: MessageRecord.of(question),
    reply: reply && ReplyRecord.of(reply),
  };
}
