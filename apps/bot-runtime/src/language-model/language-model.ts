import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { poolOf } from '@heliograph/database';
import { Health, LOGGER, METRICS, type Logger } from '@heliograph/platform';
import type { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { BotRuntimeSettings } from '../bot-runtime.config';
import { BOT_RUNTIME_SETTINGS } from '../bot-runtime.tokens';
import type { ModelAnswer, ModelOptions, ModelQuestion } from '../replies/reply';
import { KnownAddresses } from './addresses';
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
/** Said by an endpoint that has not said how long. */
const LIMITED_MS = 10_000;

/** The language model of this service, if it has one. Answers from what the bot knows, or not at all. */
@Injectable()
export class LanguageModel implements BeforeApplicationShutdown {
  private readonly endpoint: ModelEndpoint | null;
  private readonly circuit = new Circuit(CIRCUIT);
  private readonly budget: TokenBudget;
  private readonly metrics: ModelMetrics;
  private readonly running = new Map<AbortController, Promise<unknown>>();
  private isStopping = false;

  constructor(
    @Inject(BOT_RUNTIME_SETTINGS) private readonly settings: BotRuntimeSettings,
    @Inject(DataSource) dataSource: DataSource,
    @Inject(METRICS) registry: Registry,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(Health) health: Health,
  ) {
    const { BOT_MODEL_URL, BOT_MODEL_DAILY_TOKENS } = settings;
    this.endpoint = BOT_MODEL_URL === undefined ? null : new ModelEndpoint(BOT_MODEL_URL, settings);
    this.budget = new TokenBudget(poolOf(dataSource), BOT_MODEL_DAILY_TOKENS);
    this.metrics = new ModelMetrics(registry, log);
    if (!this.endpoint) return;
    // Bots answer without it.
    health.register('language model', false, () => {
      if (this.circuit.isOpen(performance.now())) throw new Error('no answer');
    });
  }

  /** There is a model to ask; whether a bot may is its owner's. */
  get isConfigured(): boolean {
    return this.endpoint !== null;
  }

  /**
   * An answer that names the passages it stands on. Null: there is no model or the bot may not ask it, it knows no
   * answer, it names nothing, it says what it must not, it is too slow, too busy, broken, or the bot has used up its
   * tokens of the day. Never rejects. `onDelta` gets what a visitor may see while it is written; what comes out in the
   * end goes before that, also when it is null.
   */
  async answer(question: ModelQuestion, options: ModelOptions = {}): Promise<ModelAnswer | null> {
    const { endpoint } = this;
    const { isEnabled } = question.bot.settings.languageModel;
    if (!endpoint || !isEnabled || question.passages.length === 0) return null;
    if (this.isStopping || options.signal?.aborted) return null;
    if (this.running.size >= this.settings.BOT_MODEL_MAX_CALLS) return this.skip('busy');
    if (!this.circuit.begin(performance.now())) return this.skip('open');
    const abort = new AbortController();
    const leave = (): void => abort.abort(new ModelFailure('gone'));
    options.signal?.addEventListener('abort', leave, { once: true });
    const answer = this.ask(endpoint, question, options, abort);
    this.running.set(abort, answer);
    try {
      return await answer;
    } catch (error) {
      this.circuit.abandoned();
      this.log.warn({ err: error }, 'the language model was not asked');
      return null;
    } finally {
      options.signal?.removeEventListener('abort', leave);
      this.running.delete(abort);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const abort of this.running.keys()) abort.abort(new ModelFailure('gone'));
    await Promise.allSettled(this.running.values());
    await this.endpoint?.close();
  }

  /** Rejects only when nothing was asked. */
  private async ask(
    endpoint: ModelEndpoint,
    question: ModelQuestion,
    options: ModelOptions,
    abort: AbortController,
  ): Promise<ModelAnswer | null> {
    const prompt = composePrompt(question);
    const asked = estimateTokens(prompt.messages.map(({ content }) => content));
    const reserved = await this.budget.reserve(question.bot.id, asked + this.settings.BOT_MODEL_MAX_TOKENS);
    if (!reserved) {
      this.circuit.abandoned();
      return this.skip('budget');
    }
    const writer = this.writerFor(question, prompt, options);
    const call = new ModelCall(endpoint, prompt, writer, abort, this.settings);
    const startedAtMs = performance.now();
    const outcome = await call.run();
    await this.settle(reserved, call.tokens ?? (call.wasBegun ? asked + estimateTokens([writer.characters]) : 0));
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
      confidential: new Confidential(RULES, instructions, this.settings.BOT_MODEL_KEY ?? null),
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

  /** What cannot be settled stays set aside: rather too little is asked than too much. */
  private async settle(reserved: Reservation, used: number): Promise<void> {
    this.metrics.use(used);
    try {
      await this.budget.settle(reserved, used);
    } catch (error) {
      this.log.warn({ err: error }, 'the tokens of a language model’s answer could not be settled');
    }
  }

  private skip(why: 'busy' | 'open' | 'budget'): null {
    this.metrics.skip(why);
    return null;
  }
}
