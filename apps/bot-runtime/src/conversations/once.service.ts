import { Inject, Injectable } from '@nestjs/common';
import { readMessages, type StoredTurn } from '@heliograph/bot-conversations';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { IdempotencyService, type Answer, type IdempotentCall } from '@heliograph/idempotency';
import { DataSource } from 'typeorm';
import type { TakenTurn } from './turns.service';

interface Work<T> {
  /** Takes the turn, and commits the claim of the key with it. */
  first: (claimed: IdempotentCall | null) => Promise<T | 'repeated'>;
  /** Makes the first answer again from what the turn has stored. */
  again: (turn: TakenTurn, submissionId: string | null) => T;
}

/** Turns with an Idempotency-Key: the key is the conversation's, and what is stored under it is where the turn is. */
@Injectable()
export class OnceService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(IdempotencyService) private readonly idempotency: IdempotencyService,
  ) {}

  async run<T extends object>(call: IdempotentCall | null, { first, again }: Work<T>): Promise<Answer<T>> {
    try {
      return await this.idempotency.run<T>(call, first, async (stored) => {
        const turn = stored as StoredTurn;
        return again(await this.recall(call, turn), turn.submissionId);
      });
    } catch (error) {
      // A bot that is away comes back, a form is published: that is no answer for a day.
      if (call && error instanceof AppError && error.status === 404) await this.idempotency.forget(call);
      throw error;
    }
  }

  private async recall(call: IdempotentCall | null, { questionId, replyId, paused }: StoredTurn): Promise<TakenTurn> {
    const ids = [questionId, replyId].filter((id) => id !== null);
    const messages = await readMessages(poolOf(this.dataSource), call?.callerId ?? '', ids);
    const question = messages.find(({ id }) => id === questionId);
    if (!question)
      throw new AppError('NOT_FOUND', 'What this Idempotency-Key named is no more. Send it under another.');
    return { question, reply: messages.find(({ id }) => id === replyId) ?? null, paused };
  }
}
