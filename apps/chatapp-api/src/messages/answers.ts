import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { recordAnswers, type AnswerResult, type AnswerRow } from '@heliograph/chatapp-messages';
import { CommitPools, GroupCommit, retryWhileUnavailable } from '@heliograph/database';
import { LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';

const RETRY_MS = 500;
/** Maximum time that a caller waits until the provider's response is stored. */
const CALLER_WAITS_MS = 5_000;
/**
 * Maximum number of responses that wait for the database to recover. Above it, responses are discarded, and the
 * messages are settled by statuses or by the settlement task.
 */
const MAX_UNRECORDED = 20_000;

interface WantedAnswer {
  organizationId: string;
  row: AnswerRow;
}

/**
 * Stores the provider's responses in group commits. The organizations take turns. While the database is unavailable, the
 * responses are kept in memory, because the provider does not repeat them.
 */
@Injectable()
export class Answers implements OnModuleDestroy {
  private readonly commits: GroupCommit<WantedAnswer, AnswerResult>;
  private readonly recording = new Set<Promise<AnswerResult | null>>();
  private readonly stopping = new AbortController();

  constructor(
    pools: CommitPools,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.commits = new GroupCommit<WantedAnswer, AnswerResult>({
      laneOf: ({ organizationId }) => organizationId,
      flush: (wanted, waitsForLocks) =>
        recordAnswers(
          pools.of(waitsForLocks),
          wanted.map(({ row }) => row),
        ),
    });
    const { recording } = this;
    new Gauge({
      name: 'chatapp_unrecorded_answers',
      help: 'Responses of the provider that are being stored',
      registers: [registry],
      collect() {
        this.set(recording.size);
      },
    });
  }

  /** Stores a response and returns the stored state of the message; null if the caller should not wait any longer. */
  async record(row: AnswerRow, organizationId: string): Promise<AnswerResult | null> {
    const stored = this.store({ organizationId, row });
    this.recording.add(stored);
    void stored.finally(() => this.recording.delete(stored));
    return Promise.race([stored, delay(CALLER_WAITS_MS, null, { ref: false })]);
  }

  private async store(wanted: WantedAnswer): Promise<AnswerResult | null> {
    const onRetry = (error: unknown, attempt: number): void => {
      if (this.recording.size > MAX_UNRECORDED) throw error;
      if (attempt === 1)
        this.log.warn(
          { err: error, messageId: wanted.row.id, organizationId: wanted.organizationId },
          'failed to store a response of the provider; retrying',
        );
    };
    try {
      return await retryWhileUnavailable(() => this.commits.submit(wanted), {
        delayMs: RETRY_MS,
        signal: this.stopping.signal,
        onRetry,
      });
    } catch (error) {
      this.log.error(
        { err: error, messageId: wanted.row.id, organizationId: wanted.organizationId },
        'a response of the provider was not stored; a status or the settlement task will settle the message',
      );
      return null;
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.recording);
    await this.commits.drain();
  }
}
