import type { CallDefinition, Input } from './call-definition';
import { ConnectionError, errorOf, HeliographError, TimeoutError, type ApiError } from './errors';
import { readEvents, type ServerEvent } from './event-stream';
import { FileDownload, formOf } from './files';
import { checkOptions, modeOfKey, type ClientOptions, type RequestOptions } from './options';
import { Page, PagePromise } from './page';
import { VERSION } from './version';

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;
const MAX_RETRY_DELAY_MS = 60_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The only 409 that ends by itself: the first call with the key is still running. */
const IN_PROGRESS = 'IDEMPOTENCY_IN_PROGRESS';

interface PreparedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: NonNullable<RequestInit['body']>;
  /** Whether the body is not a stream. */
  isRepeatable: boolean;
  /** Whether two calls have the same effect as one. */
  isSafe: boolean;
}

/** Makes the calls of all groups. */
export class Caller {
  private readonly baseUrl: string;
  private onlyWorkspace: Promise<string> | undefined;

  constructor(private readonly options: ClientOptions) {
    checkOptions(options);
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** Makes a call and resolves with its result. */
  async call<Result>(
    definition: CallDefinition,
    positions: readonly string[],
    input: object = {},
    options: RequestOptions = {},
  ): Promise<Result> {
    const request = await this.prepare(definition, positions, input as Input, options);
    const response = await this.send(request, options, definition.result);
    // The types of the results are generated from the documents from which the definitions are generated.
    return (await this.resultOf(definition, response)) as Result;
  }

  /** Makes a call whose result is a list that is read page by page. */
  list<Entry>(
    definition: CallDefinition,
    positions: readonly string[],
    input: object = {},
    options: RequestOptions = {},
  ): PagePromise<Entry> {
    const { paging } = definition;
    if (!paging) throw new HeliographError(`${definition.name} is not a list.`);
    const read = async (query: Input): Promise<Page<Entry>> => {
      const body = await this.call<Input>(definition, positions, query, options);
      const cursor = body[paging.cursorField];
      const nextCursor = typeof cursor === 'string' ? cursor : null;
      const hasMore = paging.hasMoreField === undefined ? nextCursor !== null : body[paging.hasMoreField] === true;
      const readNext = (next: string): Promise<Page<Entry>> => read({ ...query, [paging.cursorParameter]: next });
      return new Page(body[paging.items] as Entry[], nextCursor, hasMore, readNext);
    };
    return new PagePromise(() => read(input as Input));
  }

  /** Reads a stream of server-sent events. */
  async *events(
    definition: CallDefinition,
    positions: readonly string[],
    input: object = {},
    options: RequestOptions = {},
  ): AsyncGenerator<ServerEvent> {
    const request = await this.prepare(definition, positions, input as Input, options);
    yield* readEvents(await this.send(request, options, 'events'));
  }

  /**
   * Downloads a file by the URL in a response, such as that of a report. The URL is signed: no key is sent to it.
   */
  async download(url: string, options: RequestOptions = {}): Promise<FileDownload> {
    const request = {
      url: new URL(url, `${this.baseUrl}/`).href,
      method: 'GET',
      headers: { ...this.agent(), ...options.headers },
      isRepeatable: true,
      isSafe: true,
    };
    return new FileDownload(await this.send(request, options, 'file'));
  }

  private async prepare(
    definition: CallDefinition,
    positions: readonly string[],
    input: Input,
    options: RequestOptions,
  ): Promise<PreparedRequest> {
    const { method, query, body, isIdempotent } = definition;
    const fields = this.withWorkspace(definition, input, options);
    const url = new URL(this.baseUrl + (await this.pathOf(definition, positions, options)));
    for (const [at, name] of definition.positions.entries()) {
      if (!definition.path.includes(`{${name}}`))
        url.searchParams.set(name, requiredPosition(definition, positions, at));
    }
    for (const name of query) {
      for (const value of valuesOf(fields[name])) url.searchParams.append(name, value);
    }
    const headers = {
      Accept: definition.result === 'events' ? 'text/event-stream' : 'application/json, */*;q=0.5',
      ...this.agent(),
      ...this.credentials(definition, options),
      ...(isIdempotent ? { 'Idempotency-Key': options.idempotencyKey ?? randomUuid() } : {}),
      ...this.options.headers,
      ...options.headers,
    };
    const request = {
      url: url.href,
      method,
      headers,
      isRepeatable: true,
      isSafe: isIdempotent || method === 'GET' || method === 'PUT' || method === 'DELETE',
    };
    if (body === undefined) return request;
    const content = Object.fromEntries(Object.entries(fields).filter(([name]) => !query.includes(name)));
    if (body === 'form') {
      const form = formOf(content);
      return {
        ...request,
        body: form.body as NonNullable<RequestInit['body']>,
        headers: { ...headers, ...form.headers },
        isRepeatable: form.isRepeatable,
      };
    }
    return {
      ...request,
      body: JSON.stringify(content),
      headers: { ...headers, 'Content-Type': 'application/json' },
    };
  }

  /** Completes the field `workspace_id` with the workspace of the call or of the client. */
  private withWorkspace({ workspace }: CallDefinition, input: Input, options: RequestOptions): Input {
    const id = options.workspace ?? this.options.workspace;
    if (id === undefined || (workspace !== 'body' && workspace !== 'query')) return input;
    return input['workspace_id'] === undefined ? { ...input, workspace_id: id } : input;
  }

  private async pathOf(
    definition: CallDefinition,
    positions: readonly string[],
    options: RequestOptions,
  ): Promise<string> {
    const workspace = definition.workspace === 'path' ? await this.workspaceOf(options) : undefined;
    return definition.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const at = definition.positions.indexOf(name);
      return encodeURIComponent(at === -1 ? (workspace ?? '') : requiredPosition(definition, positions, at));
    });
  }

  private async workspaceOf({ workspace, signal }: RequestOptions): Promise<string> {
    const given = workspace ?? this.options.workspace;
    if (given !== undefined) return given;
    this.onlyWorkspace ??= this.readOnlyWorkspace(signal);
    // A failure is not kept: the next call asks again.
    this.onlyWorkspace.catch(() => (this.onlyWorkspace = undefined));
    return this.onlyWorkspace;
  }

  private async readOnlyWorkspace(signal: AbortSignal | undefined): Promise<string> {
    const list: CallDefinition = {
      name: 'workspaces.list',
      method: 'GET',
      path: '/api/workspaces',
      positions: [],
      query: ['limit'],
      isIdempotent: false,
      auth: 'key',
      result: 'json',
      envelope: ['data'],
    };
    const { workspaces } = await this.call<{ workspaces: { id: string }[] }>(
      list,
      [],
      { limit: 2 },
      signal ? { signal } : {},
    );
    const [only, ...others] = workspaces;
    if (only && others.length === 0) return only.id;
    throw new HeliographError(
      'This call needs a workspace, and the organization has several or none. Set the option workspace of the client or of the call to its id.',
    );
  }

  private credentials({ auth }: CallDefinition, { conversationToken }: RequestOptions): Record<string, string> {
    if (auth === 'none') return {};
    if (auth === 'conversation') {
      if (conversationToken === undefined) {
        throw new HeliographError(
          'Set the option conversationToken of the call to the token in the response of chat.conversations.start.',
        );
      }
      return { Authorization: `Bearer ${conversationToken}` };
    }
    const { apiKey, testMode } = this.options;
    const mode = testMode === true && (apiKey === undefined || modeOfKey(apiKey) === null);
    return {
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      // A key belongs to one mode. A session or an access token chooses one.
      ...(mode ? { 'Heliograph-Mode': 'test' } : {}),
    };
  }

  /** Browsers do not allow this header. */
  private agent(): Record<string, string> {
    return 'document' in globalThis ? {} : { 'User-Agent': `heliograph-sdk/${VERSION}` };
  }

  /** Repeats the request until it succeeds, fails for good, or was repeated often enough. */
  private async send(
    request: PreparedRequest,
    options: RequestOptions,
    result: CallDefinition['result'],
  ): Promise<Response> {
    const maxRetries = options.maxRetries ?? this.options.maxRetries ?? MAX_RETRIES;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(request, options, result);
      if (outcome instanceof Response) return outcome;
      const delayMs = this.delayBefore(attempt, outcome);
      const isRepeated = attempt < maxRetries && request.isRepeatable && mayRepeat(outcome, request.isSafe);
      if (!isRepeated || delayMs === null) throw outcome;
      await delay(delayMs, options.signal);
    }
  }

  /** Resolves with the successful response or with the error. Rejects if the caller aborted the call. */
  private async attempt(
    { url, method, headers, body }: PreparedRequest,
    { signal, timeoutMs = this.options.timeoutMs ?? TIMEOUT_MS }: RequestOptions,
    result: CallDefinition['result'],
  ): Promise<Response | ApiError | ConnectionError> {
    const limit = new AbortController();
    const abort = (): void => limit.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      limit.abort();
    }, timeoutMs);
    const isStreamed = result === 'file' || result === 'events';
    try {
      const send = this.options.fetch ?? fetch;
      const response = await send(url, {
        method,
        headers,
        signal: limit.signal,
        ...(body === undefined ? {} : { body }),
        // Streams need it, and TypeScript does not know it.
        ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      });
      if (!response.ok) return errorOf(response, await response.text(), this.baseUrl);
      if (isStreamed) return response;
      // The body is read within the time limit.
      const text = await response.text();
      return new Response(text === '' ? null : text, {
        status: text === '' ? 204 : response.status,
        headers: response.headers,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (hasTimedOut) return new TimeoutError(`There was no response within ${timeoutMs} ms.`, { cause: error });
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      return new ConnectionError(`The call to ${new URL(url).origin} failed: ${reason}`, { cause: error });
    } finally {
      clearTimeout(timer);
      if (!isStreamed) signal?.removeEventListener('abort', abort);
    }
  }

  /** Null if the server asks to wait for too long. */
  private delayBefore(attempt: number, error: ApiError | ConnectionError): number | null {
    const asked = 'retryAfterMs' in error ? error.retryAfterMs : null;
    if (asked !== null) return asked > (this.options.maxRetryDelayMs ?? MAX_RETRY_DELAY_MS) ? null : asked;
    const longest = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
    return longest * (0.5 + Math.random() / 2);
  }

  private async resultOf({ result, envelope }: CallDefinition, response: Response): Promise<unknown> {
    if (result === 'file') return new FileDownload(response);
    if (result === 'none' || response.status === 204) return undefined;
    const body: unknown = await response.json();
    return envelope.reduce<unknown>((value, name) => (value as Input)[name], body);
  }
}

function mayRepeat(error: ApiError | ConnectionError, isSafe: boolean): boolean {
  // A call without a response may have had its effect.
  if (!('status' in error)) return isSafe;
  // The call was not made.
  if (error.status === 429) return true;
  if (error.code === IN_PROGRESS) return true;
  return isSafe && [500, 502, 503, 504].includes(error.status);
}

function requiredPosition(definition: CallDefinition, positions: readonly string[], at: number): string {
  const value = positions[at];
  // An empty id would be another path.
  if (typeof value !== 'string' || value === '') {
    throw new HeliographError(
      `${definition.name} needs ${definition.positions[at]} as argument ${at + 1}, a text that is not empty.`,
    );
  }
  return value;
}

/** The values of a query parameter. Lists are repeated parameters; objects are JSON. */
function valuesOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [value.map((one) => textOf(one)).join(',')];
  return [textOf(value)];
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A random UUID. `crypto.randomUUID` is missing on pages without TLS. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Rejects with the reason of the signal if it is aborted meanwhile. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
