import { readRetryAfterMs } from '@heliograph/fairness';
import { Pool } from 'undici';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import { ModelFailure } from './model-failure';
import type { ChatMessage } from './prompt';
import { readStream, readWhole, type StreamPart } from './read-stream';

const REFUSAL_CHARACTERS = 4_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Optional parameters that some compatible endpoints reject. */
const OPTIONAL_FIELDS = ['stream_options', 'temperature', 'max_tokens'] as const;
type OptionalField = (typeof OPTIONAL_FIELDS)[number];

type ModelConfig = Pick<
  BotRuntimeConfig,
  'BOT_MODEL_KEY' | 'BOT_MODEL_NAME' | 'BOT_MODEL_MAX_TOKENS' | 'BOT_MODEL_MAX_CALLS' | 'BOT_MODEL_TIMEOUT_MS'
>;

/** An endpoint with OpenAI's chat completions API, streamed. */
export class ModelEndpoint {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly refusedFields = new Set<OptionalField>();

  constructor(
    url: string,
    private readonly config: ModelConfig,
  ) {
    const { origin, pathname, search } = new URL(url);
    this.pool = new Pool(origin, {
      connections: config.BOT_MODEL_MAX_CALLS,
      pipelining: 1,
      // The call has its own, shorter timeouts.
      headersTimeout: config.BOT_MODEL_TIMEOUT_MS + 1_000,
      bodyTimeout: config.BOT_MODEL_TIMEOUT_MS + 1_000,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
    this.path = `${pathname.replace(/\/+$/, '')}/chat/completions${search}`;
    this.headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(config.BOT_MODEL_KEY ? { authorization: `Bearer ${config.BOT_MODEL_KEY}` } : {}),
    };
  }

  /**
   * Sends the request and yields the answer in parts. Retries once if the connection fails before the first part.
   * Throws ModelFailure or, if the signal is aborted, its reason.
   */
  async *ask(messages: readonly ChatMessage[], signal: AbortSignal): AsyncGenerator<StreamPart> {
    const body = JSON.stringify(this.request(messages));
    const { statusCode, headers, body: bytes } = await this.send(body, signal);
    try {
      if (statusCode !== 200) throw await this.refusal(statusCode, headers['retry-after'], bytes);
      const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
      yield* isJson ? readWhole(bytes) : readStream(bytes);
    } catch (error) {
      throw asFailure(error, signal, 'cut');
    } finally {
      bytes.on('error', () => undefined).destroy();
    }
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private request(messages: readonly ChatMessage[]): object {
    const { BOT_MODEL_NAME, BOT_MODEL_MAX_TOKENS } = this.config;
    const takes = (field: OptionalField): boolean => !this.refusedFields.has(field);
    return {
      model: BOT_MODEL_NAME,
      messages,
      stream: true,
      ...(takes('stream_options') ? { stream_options: { include_usage: true } } : {}),
      ...(takes('temperature') ? { temperature: 0.2 } : {}),
      [takes('max_tokens') ? 'max_tokens' : 'max_completion_tokens']: BOT_MODEL_MAX_TOKENS,
    };
  }

  private async send(body: string, signal: AbortSignal): ReturnType<Pool['request']> {
    const { path, headers } = this;
    const request = () => this.pool.request({ method: 'POST', path, headers, body, signal });
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || !isConnectionError(error)) throw asFailure(error, signal, 'connection');
    }
    try {
      return await request();
    } catch (error) {
      throw asFailure(error, signal, 'connection');
    }
  }

  /** Returns only the rejected parameters. The next request omits them. */
  private async refusal(
    status: number,
    retryAfter: string | string[] | undefined,
    bytes: AsyncIterable<Buffer>,
  ): Promise<ModelFailure> {
    if (status === 429 || status === 503) {
      const retryAfterMs = readRetryAfterMs(retryAfter, new Date());
      const isUsable = retryAfterMs !== null && retryAfterMs <= LONGEST_RETRY_AFTER_MS;
      return new ModelFailure('limited', { status, ...(isUsable ? { retryAfterMs } : {}) });
    }
    if (status !== 400 && status !== 422) return new ModelFailure('status', { status });
    let text = '';
    for await (const part of bytes) {
      text += part.toString('latin1');
      if (text.length > REFUSAL_CHARACTERS) break;
    }
    const refusedFields = OPTIONAL_FIELDS.filter((field) => text.includes(field));
    for (const field of refusedFields) this.refusedFields.add(field);
    return new ModelFailure('status', { status, refusedFields });
  }
}

function asFailure(error: unknown, signal: AbortSignal, reason: 'connection' | 'cut'): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason;
  if (error instanceof ModelFailure) return error;
  const code = codeOf(error);
  return new ModelFailure(reason, code === null ? {} : { code });
}

/** Whether the connection failed. A timeout is not a connection failure. */
function isConnectionError(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code === 'UND_ERR_SOCKET' || code === 'UND_ERR_CONNECT_TIMEOUT' || /^E[A-Z_]+$/.test(code);
}

function codeOf(error: unknown): string | null {
  const code: unknown = error !== null && typeof error === 'object' && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
