import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { CONFIG, Health, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import type { Registry } from 'prom-client';
import { Agent, Pool } from 'undici';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { exchange, NoAnswer, type Exchanged, type ExchangeRequest } from './exchange';
import { openDownload } from './media-download';
import { errorOf, readRefusal, toAppError, unanswered, unreachable } from './refusal';
import { UpstreamCalls, type CallName } from './upstream-calls';

const MAX_ANSWER_BYTES = 1_000_000;
/** Concurrent uploads and downloads of one process. */
const MEDIA_CONNECTIONS = 64;

/** The business account of the calls. */
export interface GraphAccount {
  phoneNumberId: string;
  businessAccountId: string;
}

/** The parameters of one call. */
type Call = Pick<ExchangeRequest, 'method'> & {
  path: string;
  /** The header of this name: the span of the call. */
  traceparent?: string | undefined;
} & Partial<ExchangeRequest>;

/** Authenticated calls to the provider's Graph API: connections, timeouts, retries and metrics. */
@Injectable()
export class GraphTransport implements BeforeApplicationShutdown {
  private readonly pool: Pool;
  /** The pool for media, which is separate so that callers with slow connections do not occupy the connections for sends. */
  private readonly uploads: Pool;
  /** The pool for downloads, which other hosts of the provider serve. */
  private readonly downloads: Agent;
  private readonly calls: UpstreamCalls;
  private readonly basePath: string;
  readonly token: string;
  readonly authorization: [string, string];
  private readonly jsonHeaders: string[];
  private readonly account: GraphAccount | null;

  constructor(
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    @Inject(METRICS) registry: Registry,
    @Inject(LOGGER) log: Logger,
    health: Health,
  ) {
    const { CHATAPP_GRAPH_URL, CHATAPP_GRAPH_VERSION, CHATAPP_CONNECTIONS, CHATAPP_TIMEOUT_MS } = config;
    const { CHATAPP_ACCESS_TOKEN, CHATAPP_PHONE_NUMBER_ID, CHATAPP_BUSINESS_ACCOUNT_ID } = config;
    const { origin, pathname } = new URL(CHATAPP_GRAPH_URL);
    const options = {
      connections: CHATAPP_CONNECTIONS,
      pipelining: 1,
      headersTimeout: CHATAPP_TIMEOUT_MS,
      bodyTimeout: CHATAPP_TIMEOUT_MS,
      // Half of the timeout, so that time for a second attempt remains.
      connect: { timeout: Math.ceil(CHATAPP_TIMEOUT_MS / 2) },
    };
    this.pool = new Pool(origin, options);
    this.uploads = new Pool(origin, { ...options, connections: MEDIA_CONNECTIONS });
    this.downloads = new Agent({ ...options, connections: MEDIA_CONNECTIONS });
    this.calls = new UpstreamCalls(registry, log);
    this.basePath = `${pathname.replace(/\/+$/, '')}/${CHATAPP_GRAPH_VERSION}`;
    this.token = CHATAPP_ACCESS_TOKEN ?? '';
    this.authorization = ['authorization', `Bearer ${this.token}`];
    this.jsonHeaders = [...this.authorization, 'content-type', 'application/json'];
    this.account =
      CHATAPP_ACCESS_TOKEN && CHATAPP_PHONE_NUMBER_ID && CHATAPP_BUSINESS_ACCOUNT_ID
        ? { phoneNumberId: CHATAPP_PHONE_NUMBER_ID, businessAccountId: CHATAPP_BUSINESS_ACCOUNT_ID }
        : null;
    // Not critical for readiness, because many operations work without the provider and the others return an error.
    health.register('chat-app upstream', false, () => {
      if (this.calls.isDown) throw new Error('no response');
    });
  }

  /** Whether the token, the phone number id and the business account id are all configured. */
  get isConfigured(): boolean {
    return this.account !== null;
  }

  /** Throws CHATAPP_NOT_CONFIGURED. */
  requireConfigured(): GraphAccount {
    if (this.account) return this.account;
    throw new AppError(
      'CHATAPP_NOT_CONFIGURED',
      'The chat-app account is not configured. Ask the operator to configure the access token, the phone number id and the business account id.',
    );
  }

  /** Parses a successful response. `unknownCodes` contains the error codes for an unknown object. */
  read<T>(answer: Exchanged, unknownCodes: readonly number[], what: string, read: (json: unknown) => T | null): T {
    if (isSuccess(answer)) {
      const value = read(answer.json);
      if (value !== null) return value;
      throw unanswered('the response cannot be parsed');
    }
    throw this.refusalOf(answer, unknownCodes, what);
  }

  /** Returns the AppError for an unsuccessful response. The parameters are described at `read`. */
  refusalOf(answer: Exchanged, unknownCodes: readonly number[], what: string): AppError {
    const refusal = readRefusal(answer, this.token);
    const { upstreamCode } = refusal;
    const isUnknown = upstreamCode === null ? [404, 410].includes(answer.status) : unknownCodes.includes(upstreamCode);
    return isUnknown
      ? new AppError('NOT_FOUND', `This ${what} does not exist at the provider, or it was deleted there. Check the id.`)
      : toAppError(refusal);
  }

  /** Like `ask`, but throws an AppError if there is no response. */
  async askOrThrow(name: CallName, call: Call): Promise<Exchanged> {
    try {
      return await this.ask(name, call);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw error.wasStarted && call.method !== 'GET'
        ? unanswered(error.reason)
        : toAppError(unreachable(error.reason));
    }
  }

  /** Calls the provider. Rejects with NoAnswer. */
  ask(name: CallName, { traceparent, ...call }: Call): Promise<Exchanged> {
    const headers = call.body === undefined ? this.authorization : this.jsonHeaders;
    const askOnce = (): Promise<Exchanged> =>
      this.observe(name, () =>
        exchange(name === 'upload' ? this.uploads : this.pool, {
          headers: traceparent === undefined ? headers : [...headers, 'traceparent', traceparent],
          body: null,
          deadlineMs: this.config.CHATAPP_TIMEOUT_MS,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          ...call,
          path: this.basePath + call.path,
        }),
      );
    // A stream cannot be sent a second time.
    return call.body && typeof call.body !== 'string' ? askOnce() : secondTry(call.method === 'GET', askOnce);
  }

  private async observe<T extends { status: number }>(name: CallName, ask: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const answer = await ask();
      this.calls.answered(name, answer.status, startedAt);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer && !error.isByCaller) this.calls.unanswered(name, error, startedAt);
      throw error;
    }
  }

  /** Opens a media file. Rejects with NoAnswer. */
  openDownload(url: string): ReturnType<typeof openDownload> {
    const open = (): ReturnType<typeof openDownload> =>
      this.observe('media-download', () =>
        openDownload(this.downloads, {
          url,
          headers: this.authorization,
          // Sends the token over plain HTTP only if the API address is configured with plain HTTP.
          protocols: this.config.CHATAPP_GRAPH_URL.startsWith('http:') ? ['http:', 'https:'] : ['https:'],
        }),
      );
    return secondTry(true, open);
  }

  /** Closes the connections when their requests have ended, at the latest after the timeouts. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.close(), this.uploads.close(), this.downloads.close()]);
  }
}

/** Calls `ask`, and calls it again if the request was not sent, or if a read request failed with a server error. */
async function secondTry<T extends { status: number }>(isRead: boolean, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask();
    if (!isRead || answer.status < 500) return answer;
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.deadlinePassed || (error.wasStarted && !isRead)) throw error;
  }
  return ask();
}

export function isSuccess({ status, json }: Exchanged): boolean {
  return status >= 200 && status <= 299 && !errorOf(json);
}
