import type { BotRuntimeConfig } from '../bot-runtime.config';
import type { AnswerWriter, WrittenAnswer } from './answer-writer';
import type { ModelEndpoint } from './model-endpoint';
import { ModelFailure } from './model-failure';
import type { Prompt } from './prompt';

/** One call to the model, with its timings. */
export class ModelCall {
  /** Number of tokens that the model reported. */
  tokens: number | null = null;
  /** Whether the model has accepted the request. */
  wasBegun = false;

  constructor(
    private readonly endpoint: ModelEndpoint,
    private readonly prompt: Prompt,
    private readonly writer: AnswerWriter,
    private readonly abort: AbortController,
    private readonly config: Pick<BotRuntimeConfig, 'BOT_MODEL_TIMEOUT_MS' | 'BOT_MODEL_FIRST_TOKEN_MS'>,
  ) {}

  async run(): Promise<WrittenAnswer | ModelFailure> {
    const { abort } = this;
    const { BOT_MODEL_TIMEOUT_MS, BOT_MODEL_FIRST_TOKEN_MS } = this.config;
    const giveUp = (reason: 'first-token' | 'time-out') => (): void => abort.abort(new ModelFailure(reason));
    const whole = setTimeout(giveUp('time-out'), BOT_MODEL_TIMEOUT_MS);
    const first = setTimeout(giveUp('first-token'), BOT_MODEL_FIRST_TOKEN_MS);
    try {
      return await this.read(() => clearTimeout(first));
    } catch (error) {
      if (error instanceof ModelFailure) {
        // A refused request is not billed, but an accepted request may have been billed completely.
        this.wasBegun ||= ['first-token', 'time-out', 'gone'].includes(error.reason);
        return error;
      }
      throw error;
    } finally {
      clearTimeout(whole);
      clearTimeout(first);
    }
  }

  private async read(began: () => void): Promise<WrittenAnswer> {
    let reason = 'stop';
    for await (const part of this.endpoint.ask(this.prompt.messages, this.abort.signal)) {
      if (!this.wasBegun) began();
      this.wasBegun = true;
      if (part.kind === 'text') this.writer.write(part.text);
      if (part.kind === 'usage') this.tokens = part.tokens;
      if (part.kind === 'end') reason = part.reason;
      if (this.writer.isDone) break;
    }
    if (reason === 'content_filter') throw new ModelFailure('filtered');
    return this.writer.end(reason === 'length');
  }
}
