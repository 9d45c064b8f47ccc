import { Injectable } from '@nestjs/common';
import { readMessages, type StoredTurn } from '@heliograph/bot-conversations';
import { AppError } from '@heliograph/errors';
import type { ClaimName, PendingResponses } from '@heliograph/idempotency';
import { Pool } from 'pg';
import type { RecordedTurn } from './turns.service';

/** Reads a recorded turn from its messages; the claim of an Idempotency-Key only stores the message ids. */
@Injectable()
export class TurnResponses implements PendingResponses<RecordedTurn> {
  constructor(private readonly pool: Pool) {}

  referenceIn(stored: object): StoredTurn {
    return stored as StoredTurn;
  }

  async responseOf(
    { questionId, replyId, paused, submissionId }: StoredTurn,
    { callerId: conversationId }: ClaimName,
  ): Promise<RecordedTurn> {
    const ids = [questionId, replyId].filter((id) => id !== null);
    const messages = await readMessages(this.pool, conversationId, ids);
    const question = messages.find(({ id }) => id === questionId);
    if (!question) {
      throw new AppError(
        'NOT_FOUND',
        'The response for this Idempotency-Key has been deleted. Send the request with a new key.',
      );
    }
    return { question, reply: messages.find(({ id }) => id === replyId) ?? null, paused, submissionId };
  }
}
