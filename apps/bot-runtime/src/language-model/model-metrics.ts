import type { Logger } from '@heliograph/service-kit';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ModelFailure } from './model-failure';

const WARN_EVERY_MS = 1_000;

/** Metrics of the calls to the language model. */
export class ModelMetrics {
  private readonly duration: Histogram<'outcome'>;
  private readonly tokens: Counter;
  private readonly skipped: Counter<'why'>;
  private warnedAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly log: Logger,
  ) {
    this.duration = new Histogram({
      name: 'bot_model_duration_seconds',
      help: 'Duration of calls to the language model by result: answer, the reason for no answer, or the failure',
      labelNames: ['outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
      registers: [registry],
    });
    this.tokens = new Counter({
      name: 'bot_model_tokens_total',
      help: 'Tokens of questions and answers, reported by the model or estimated',
      registers: [registry],
    });
    this.skipped = new Counter({
      name: 'bot_model_skipped_total',
      help: 'Calls that were not made by reason: busy (too many concurrent calls), open (circuit breaker) or budget (daily tokens)',
      labelNames: ['why'],
      registers: [registry],
    });
  }

  skip(why: 'busy' | 'open' | 'budget'): void {
    this.skipped.inc({ why });
  }

  observe(outcome: string, startedAtMs: number): void {
    this.duration.observe({ outcome }, (performance.now() - startedAtMs) / 1_000);
  }

  use(tokens: number): void {
    this.tokens.inc(tokens);
  }

  warn({ reason, details }: ModelFailure): void {
    const now = performance.now();
    if (now - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = now;
    const { status, code, refusedFields } = details;
    this.log.warn({ reason, status, code, refusedFields }, 'the language model returned no answer');
  }
}
