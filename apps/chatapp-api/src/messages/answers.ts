import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordAnswers, type AnswerResult, type AnswerRow } from '@heliograph/chatapp-messages';
import { GroupCommit, poolOf } from '@heliograph/database';
import { isDependencyFailure } from '@heliograph/errors';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { Gauge, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';

const TRY_AGAIN_MS = 500;
/** Of what the database refuses; while it is away there is no such limit. */
const MAX_ATTEMPTS = 5;
/** Longer than this a caller does not wait until its answer is stored. */
const CALLER_WAITS_MS = 5_000;
/** Answers that may wait for the database to come back; what is above it is settled by statuses or by time. */
const MAX_UNRECORDED = 20_000;

/**
 * Stores what the upstream has answered, many with one commit. An answer that cannot be stored because the database is
 * away is kept in memory until it can: the upstream does not say it twice.
 */
@Injectable()
export class Answers implements OnModuleDestroy {
  private readonly lane: GroupCommit<AnswerRow, AnswerResult>;
  private readonly recording = new Set<Promise<AnswerResult | null>>();
  private stopping = false;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.lane = new GroupCommit({ flush: (rows) => recordAnswers(poolOf(dataSource), rows) });
    const { recording } = this;
    new Gauge({
      name: 'chatapp_unrecorded_answers',
      help: 'Answers of the upstream that are being stored',
      registers: [registry],
      collect() {
        this.set(recording.size);
      },
    });
  }

  /** What is known of the message once it is stored; null when the caller should not wait for that any longer. */
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
            'an answer was not stored; a status or time will settle the message',
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
