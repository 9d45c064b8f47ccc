import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, Health, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import type { ModelAnswer, ModelOptions, ModelQuestion } from '../replies/reply';
import { KnownAddresses } from './addresses';
import { isTestId } from '@heliograph/database';
import { AnswerWriter } from './answer-writer';
import { Circuit } from './circuit';
import { Confidential } from './confidential';
import { ModelCall } from './model-call';
import { ModelEndpoint } from './model-endpoint';
import { ModelFailure } from './model-failure';
import { ModelMetrics } from './model-metrics';
import { composePrompt, estimateTokens, RULES, type Prompt } from './prompt';
import { TokenBudget, type Reservation } from './token-budget';

const CIRCUIT = { failures: 4, openMs: 15_000, longestOpenMs: 240_000 };
/** Waiting time after a rate limit without Retry-After. */
const LIMITED_MS = 10_000;

/** Answers questions from the bot's passages with the configured language model, if there is one. */
@Injectable()
export class LanguageModel implements BeforeApplicationShutdown {
  private readonly endpoint: ModelEndpoint | null;
  private readonly circuit = new Circuit(CIRCUIT);
  private readonly budget: TokenBudget;
  private readonly metrics: ModelMetrics;
  private readonly running = new Map<AbortController, Promise<unknown>>();
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: BotRuntimeConfig,
    pool: Pool,
    @Inject(METRICS) registry: Registry,
    @Inject(LOGGER) private readonly log: Logger,
    health: Health,
  ) {
    const { BOT_MODEL_URL, BOT_MODEL_DAILY_TOKENS } = config;
    this.endpoint = BOT_MODEL_URL === undefined ? null : new ModelEndpoint(BOT_MODEL_URL, config);
    this.budget = new TokenBudget(pool, BOT_MODEL_DAILY_TOKENS);
    this.metrics = new ModelMetrics(registry, log);
    if (!this.endpoint) return;
    // Not critical for readiness, because bots work without the model.
    health.register('language model', false, () => {
      if (this.circuit.isOpen(performance.now())) throw new Error('the language model does not respond');
    });
  }

  /** Whether a model is configured. The owner of a bot decides whether the bot may use it. */
  get isConfigured(): boolean {
    return this.endpoint !== null;
  }

  /**
   * Returns an answer with its citations. Returns null if no model is configured or allowed, for a bot of a test organization, if the model has no
   * answer, cites no passage, includes confidential text, is slow, busy or failing, or if the bot has used its daily
   * tokens. Never rejects. `onDelta` receives the visible parts while the answer is generated; the returned value
   * replaces them, even if it is null.
   */
  async answer(question: ModelQuestion, options: ModelOptions = {}): Promise<ModelAnswer | null> {
    const { endpoint } = this;
    const { isEnabled } = question.bot.settings.languageModel;
    if (!endpoint || !isEnabled || question.passages.length === 0) return null;
    // The model is an upstream, which test organizations never reach.
    if (isTestId(question.bot.organizationId)) return null;
    if (this.isStopping || options.signal?.aborted) return null;
    if (this.running.size >= this.config.BOT_MODEL_MAX_CALLS) return this.skip('busy');
    if (!this.circuit.begin(performance.now())) return this.skip('open');
    const abort = new AbortController();
    const onDisconnect = (): void => abort.abort(new ModelFailure('gone'));
    options.signal?.addEventListener('abort', onDisconnect, { once: true });
    const answer = this.ask(endpoint, question, options, abort);
    this.running.set(abort, answer);
    try {
      return await answer;
    } catch (error) {
      this.circuit.abandoned();
      this.log.warn({ err: error }, 'the call to the language model could not be prepared');
      return null;
    } finally {
      options.signal?.removeEventListener('abort', onDisconnect);
      this.running.delete(abort);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const abort of this.running.keys()) abort.abort(new ModelFailure('gone'));
    await Promise.allSettled(this.running.values());
    await this.endpoint?.close();
  }

  /** Rejects only if no call was made. */
  private async ask(
    endpoint: ModelEndpoint,
    question: ModelQuestion,
    options: ModelOptions,
    abort: AbortController,
  ): Promise<ModelAnswer | null> {
    const prompt = composePrompt(question);
    const promptTokens = estimateTokens(prompt.messages.map(({ content }) => content));
    const reserved = await this.budget.reserve(question.bot.id, promptTokens + this.config.BOT_MODEL_MAX_TOKENS);
    if (!reserved) {
      this.circuit.abandoned();
      return this.skip('budget');
    }
    const writer = this.writerFor(question, prompt, options);
    const call = new ModelCall(endpoint, prompt, writer, abort, this.config);
    const startedAtMs = performance.now();
    const outcome = await call.run();
    await this.settle(
      reserved,
      call.tokens ?? (call.wasBegun ? promptTokens + estimateTokens([writer.characters]) : 0),
    );
    if (outcome instanceof ModelFailure) {
      this.fail(outcome, startedAtMs);
      return null;
    }
    this.circuit.succeeded();
    this.metrics.observe(outcome.kind === 'answer' ? 'answer' : outcome.why, startedAtMs);
    if (outcome.kind === 'none') return null;
    const used = outcome.cited.flatMap((number) => prompt.passages[number - 1] ?? []);
    return { text: outcome.text, used };
  }

  private writerFor({ bot }: ModelQuestion, { passages }: Prompt, { onDelta }: ModelOptions): AnswerWriter {
    const { instructions } = bot.settings.languageModel;
    const grounds = {
      passages: passages.length,
      addresses: new KnownAddresses(passages),
      confidential: new Confidential(RULES, instructions, this.config.BOT_MODEL_KEY ?? null),
    };
    return new AnswerWriter(grounds, onDelta ?? null);
  }

  private fail(failure: ModelFailure, startedAtMs: number): void {
    this.metrics.observe(failure.reason, startedAtMs);
    if (failure.reason === 'gone') {
      this.circuit.abandoned();
      return;
    }
    const { retryAfterMs = LIMITED_MS } = failure.details;
    this.circuit.failed(performance.now(), failure.reason === 'limited' ? retryAfterMs : null);
    this.metrics.warn(failure);
  }

  /** If an error occurs, the reservation is retained, so that the usage is never underestimated. */
  private async settle(reserved: Reservation, used: number): Promise<void> {
    this.metrics.use(used);
    try {
      await this.budget.settle(reserved, used);
    } catch (error) {
      this.log.warn(
        { err: error },
        'failed to record the token usage of a language model call; the reserved tokens count as used',
      );
    }
  }

  private skip(why: 'busy' | 'open' | 'budget'): null {
    this.metrics.skip(why);
    return null;
  }
}
