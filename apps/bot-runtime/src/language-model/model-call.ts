import type { BotRuntimeSettings } from '../bot-runtime.config';
import type { AnswerWriter, WrittenAnswer } from './answer-writer';
import type { ModelEndpoint } from './model-endpoint';
import { ModelFailure } from './model-failure';
import type { Prompt } from './prompt';

/** One question to the model, with its times. */
export class ModelCall {
  /** As the model told them. */
  tokens: number | null = null;
  /** The model has taken the question. */
  wasBegun = false;

  constructor(
    private readonly endpoint: ModelEndpoint,
    private readonly prompt: Prompt,
    private readonly writer: AnswerWriter,
    private readonly abort: AbortController,
    private readonly settings: Pick<BotRuntimeSettings, 'BOT_MODEL_TIMEOUT_MS' | 'BOT_MODEL_FIRST_TOKEN_MS'>,
  ) {}

  async run(): Promise<WrittenAnswer | ModelFailure> {
    const { abort } = this;
    const { BOT_MODEL_TIMEOUT_MS, BOT_MODEL_FIRST_TOKEN_MS } = this.settings;
    const giveUp = (reason: 'first-token' | 'time-out') => (): void => abort.abort(new ModelFailure(reason));
    const whole = setTimeout(giveUp('time-out'), BOT_MODEL_TIMEOUT_MS);
    const first = setTimeout(giveUp('first-token'), BOT_MODEL_FIRST_TOKEN_MS);
    try {
      return await this.read(() => clearTimeout(first));
    } catch (error) {
      if (error instanceof ModelFailure) {
        // A refusal costs nothing; what began may have been paid for until the end.
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
