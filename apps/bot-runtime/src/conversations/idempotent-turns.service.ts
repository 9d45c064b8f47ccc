import { Injectable } from '@nestjs/common';
import { readMessages, type StoredTurn } from '@heliograph/bot-conversations';
import { AppError } from '@heliograph/errors';
import { IdempotencyService, type Answer, type IdempotentCall } from '@heliograph/idempotency';
import { Pool } from 'pg';
import type { RecordedTurn } from './turns.service';

interface Work<T> {
  /** Runs the turn and claims the key in the same commit. */
  first: (claimed: IdempotentCall | null) => Promise<T | 'repeated'>;
  /** Rebuilds the first response from the stored turn. */
  repeat: (turn: RecordedTurn, submissionId: string | null) => T;
}

/** Turns with an Idempotency-Key. Keys are scoped to the conversation; the stored answer refers to the turn. */
@Injectable()
export class IdempotentTurnsService {
  constructor(
    private readonly pool: Pool,
    private readonly idempotency: IdempotencyService,
  ) {}

  async run<T extends object>(call: IdempotentCall | null, { first, repeat }: Work<T>): Promise<Answer<T>> {
    try {
      return await this.idempotency.run<T>(call, first, async (stored) => {
        const turn = stored as StoredTurn;
        return repeat(await this.recall(call, turn), turn.submissionId);
      });
    } catch (error) {
      // These errors can disappear (a bot is resumed, a form is published), so they are not stored.
      if (call && error instanceof AppError && error.status === 404) await this.idempotency.forget(call);
      throw error;
    }
  }

  private async recall(
    call: IdempotentCall | null,
    { questionId, replyId, paused }: StoredTurn,
  ): Promise<RecordedTurn> {
    const ids = [questionId, replyId].filter((id) => id !== null);
    const messages = await readMessages(this.pool, call?.callerId ?? '', ids);
    const question = messages.find(({ id }) => id === questionId);
    if (!question)
      throw new AppError('NOT_FOUND', 'The result of this Idempotency-Key has been deleted. Use a new key.');
    return { question, reply: messages.find(({ id }) => id === replyId) ?? null, paused };
  }
}
