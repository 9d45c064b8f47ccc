import { ApiError, errorOfAnswer, toApiError } from './api-error';
import type {
  Action,
  ClientContext,
  Conversation,
  Exchange,
  Feedback,
  Started,
  Submitted,
  TranscriptPage,
} from './records';
import { readEvents } from './sse-reader';

/**
 * A request that receives no byte for this long is aborted. It is longer than the runtime's time limit for a language
 * model.
 */
const SILENCE_MS = 30_000;
const PAGE_SIZE = 100;

export interface Session {
  id: string;
  token: string;
}

interface Call {
  method?: 'GET' | 'POST';
  token?: string;
  body?: unknown;
  idempotencyKey?: string;
  accept?: string;
  signal?: AbortSignal;
}

/** The REST requests to the runtime. Every method rejects only with an {@link ApiError}. */
export class ChatClient {
  constructor(private readonly root = '/api/v1/chat/conversations') {}

  start(botId: string, channel: string, client: ClientContext): Promise<Started> {
    return this.json('', { method: 'POST', body: { botId, channel, client } });
  }

  conversation(session: Session): Promise<{ conversation: Conversation; paused?: boolean }> {
    return this.json(`/${encodeURIComponent(session.id)}`, { token: session.token });
  }

  messages(session: Session, cursor: string | null, limit = PAGE_SIZE): Promise<TranscriptPage> {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
    return this.json(`/${encodeURIComponent(session.id)}/messages?${query}`, { token: session.token });
  }

  end(session: Session): Promise<{ conversation: Conversation }> {
    return this.act(session, 'end');
  }

  reopen(session: Session): Promise<{ conversation: Conversation }> {
    return this.act(session, 'reopen');
  }

  rate(session: Session, rating: number, message: string): Promise<{ feedback: Feedback }> {
    return this.act(session, 'feedback', { rating, ...(message === '' ? {} : { message }) });
  }

  submit(session: Session, formId: string, answers: Record<string, string>, key: string): Promise<Submitted> {
    return this.json(`/${encodeURIComponent(session.id)}/forms/${encodeURIComponent(formId)}/submissions`, {
      method: 'POST',
      token: session.token,
      body: { answers },
      idempotencyKey: key,
    });
  }

  /**
   * Sends a message. `onDelta` receives the parts of a reply that a language model is writing; `onSign` is called for
   * everything that the response stream contains.
   */
  async send(
    session: Session,
    message: { text: string; action: Action | null; key: string },
    onDelta: (text: string) => void,
    onSign: () => void,
  ): Promise<Exchange> {
    const { text, action, key } = message;
    return this.watched(async (signal, alive) => {
      const response = await this.call(`/${encodeURIComponent(session.id)}/messages`, {
        method: 'POST',
        token: session.token,
        body: { message: text, ...(action === null ? {} : { action }) },
        idempotencyKey: key,
        accept: 'text/event-stream, application/json',
        signal,
      });
      if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
        return (await response.json()) as Exchange;
      }
      let exchange: Exchange | null = null;
      await readEvents(
        response,
        ({ event, data }) => {
          if (event === 'delta') onDelta((JSON.parse(data) as { text: string }).text);
          else if (event === 'done') exchange = JSON.parse(data) as Exchange;
          else if (event === 'error') throw errorOfEvent(data);
        },
        () => {
          alive();
          onSign();
        },
      );
      if (exchange === null)
        throw new ApiError(0, 'NO_CONNECTION', 'The response ended before the reply was complete.');
      return exchange;
    });
  }

  /** Opens the stream of live events after the given message. The caller reads the body and aborts the stream. */
  events(session: Session, after: string | null, signal: AbortSignal): Promise<Response> {
    const query = after === null ? '' : `?${new URLSearchParams({ after })}`;
    return this.call(`/${encodeURIComponent(session.id)}/events${query}`, {
      token: session.token,
      accept: 'text/event-stream',
      signal,
    });
  }

  private act<T>(session: Session, verb: string, body?: unknown): Promise<T> {
    const path = `/${encodeURIComponent(session.id)}/${verb}`;
    return this.json(path, { method: 'POST', token: session.token, body: body ?? {} });
  }

  private json<T>(path: string, call: Call): Promise<T> {
    return this.watched(async (signal) => (await (await this.call(path, { ...call, signal })).json()) as T);
  }

  private async call(path: string, call: Call): Promise<Response> {
    const { method = 'GET', token, body, idempotencyKey, accept = 'application/json', signal } = call;
    const response = await fetch(this.root + path, {
      method,
      headers: {
        accept,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) throw await errorOfAnswer(response);
    return response;
  }

  /** Aborts after a time without data; `alive` restarts the timer. */
  private async watched<T>(work: (signal: AbortSignal, alive: () => void) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let timer = setTimeout(() => abort.abort(), SILENCE_MS);
    try {
      return await work(abort.signal, () => {
        clearTimeout(timer);
        timer = setTimeout(() => abort.abort(), SILENCE_MS);
      });
    } catch (error) {
      throw toApiError(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function errorOfEvent(data: string): ApiError {
  const { code, message } = JSON.parse(data) as { code: string; message: string };
  // The stream started with status 200, so an error inside the stream counts as temporary.
  return new ApiError(500, code, message);
}
