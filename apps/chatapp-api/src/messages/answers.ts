import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordAnswers, type AnswerResult, type AnswerRow } from '@heliograph/chatapp-messages';
import { GroupCommit } from '@heliograph/database';
import { isDependencyFailure } from '@heliograph/errors';
import { LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';

const TRY_AGAIN_MS = 500;
/** Limit for rows that the database refuses. While the database is unavailable there is no such limit. */
const MAX_ATTEMPTS = 5;
/** Maximum time that a caller waits until its answer is stored. */
const CALLER_WAITS_MS = 5_000;
/**
 * Answers that may wait for the database to recover. Above this limit, statuses or the settlement settle the message.
 */
const MAX_UNRECORDED = 20_000;

/**
 * Stores the answers of the provider in group commits. While the database is unavailable, answers are retained in
 * memory, because the provider does not repeat them.
 */
@Injectable()
export class Answers implements OnModuleDestroy {
  private readonly lane: GroupCommit<AnswerRow, AnswerResult>;
  private readonly recording = new Set<Promise<AnswerResult | null>>();
  private stopping = false;

  constructor(
    pool: Pool,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.lane = new GroupCommit({ flush: (rows) => recordAnswers(pool, rows) });
    const { recording } = this;
    new Gauge({
      name: 'chatapp_unrecorded_answers',
      help: 'Answers of the provider that are being stored',
      registers: [registry],
      collect() {
        this.set(recording.size);
      },
    });
  }

  /** The stored state of the message; null when the caller should not wait any longer. */
  async record(row: AnswerRow): Promise<AnswerResult | null> {
    const stored = this.keepTrying(row);
    this.recording.add(stored);
    void stored.finally(() => this.recording.delete(stored));
    return Promise.race([stored, delay(CALLER_WAITS_MS, null, { ref: false })]);
  }

  private async keepTrying(row: AnswerRow): Promise<AnswerResult | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.lane.submit(row);
      } catch (error) {
        if (attempt === 1) this.log.warn({ err: error, messageId: row.id }, 'an answer could not be stored yet');
        const isHopeless = !isDependencyFailure(error) && attempt >= MAX_ATTEMPTS;
        if (this.stopping || isHopeless || this.recording.size > MAX_UNRECORDED) {
          this.log.error(
            { err: error, messageId: row.id },
            'an answer was not stored; a status or the settlement will settle the message',
          );
          return null;
        }
        await delay(TRY_AGAIN_MS);
      }
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.recording);
    await this.lane.drain();
  }
}
