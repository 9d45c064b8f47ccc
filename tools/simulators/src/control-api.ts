import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';

const MAX_BODY_BYTES = 1_000_000;
const REQUEST_TIMEOUT_MS = 10_000;

export type ControlMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';

export interface ControlRequest {
  query: URLSearchParams;
  /** Decoded parameters of the path. */
  params: Readonly<Record<string, string>>;
  /** Parsed JSON or form; undefined if the request has no body. */
  body: unknown;
  headers: IncomingHttpHeaders;
  /** The body as it was received. */
  rawBody: string;
}

/** A response that is not JSON, such as a page. */
export class ControlPage {
  constructor(
    readonly body: string | Buffer,
    readonly contentType = 'text/html; charset=utf-8',
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status = 200,
  ) {}
}

/** A connection that is closed without a response. */
export class ControlCut {}

/** A response with a status other than 200. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The result is sent as JSON, undefined as `{ok: true}`. */
export type ControlHandler = (request: ControlRequest) => unknown;

/** The JSON API that controls the simulators. The API has no authentication and listens on loopback only. */
export class ControlApi {
  private readonly app = express();
  private readonly handlers = new Map<string, Map<string, ControlHandler>>();
  private server: Server | null = null;

  constructor() {
    this.app.disable('x-powered-by').disable('etag');
    this.app.use(refuseForeignPages);
    this.app.use(express.urlencoded({ limit: MAX_BODY_BYTES, extended: false, verify: keepRawBody }));
    this.app.use(readJsonSentAsForm);
    this.app.use(express.json({ limit: MAX_BODY_BYTES, type: isNoForm, strict: false, verify: keepRawBody }));
  }

  /** Adds a handler. A segment that starts with a colon is a parameter: `/platform/templates/:name`. */
  route(method: ControlMethod, path: string, handler: ControlHandler): this {
    const known = this.handlers.get(path);
    if (known) {
      known.set(method, handler);
      return this;
    }
    const handlers = new Map([[method as string, handler]]);
    this.handlers.set(path, handlers);
    this.app.all(path, async (request, response) => {
      const found = handlers.get(request.method);
      if (!found) throw new ControlError(405, `${request.path} supports only ${[...handlers.keys()].join(', ')}`);
      send(response, await found(toControlRequest(request)));
    });
    return this;
  }

  /** Listens on 127.0.0.1; port 0 selects a free port. Resolves with the port. */
  async start(port = 0): Promise<number> {
    const server = createServer((request, response) =>
      this.app(request as Request, response as Response, (error?: unknown) =>
        sendError(response as Response, error ?? new ControlError(404, `unknown path ${request.url ?? ''}`)),
      ),
    );
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    this.server = server;
    return this.port;
  }

  get port(): number {
    const address = this.server?.address() as AddressInfo | null | undefined;
    if (!address) throw new Error('The control API is not started.');
    return address.port;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Rejects requests of web pages of other sites, including pages whose name resolves to this machine (DNS rebinding).
 */
function refuseForeignPages({ headers, method }: Request, _response: Response, next: NextFunction): void {
  const isLocal = (url: string): boolean => URL.canParse(url) && LOCAL_NAMES.has(new URL(url).hostname);
  if (headers.host !== undefined && !isLocal(`http://${headers.host}`)) {
    throw new ControlError(403, 'The control API is only available as localhost, 127.0.0.1 or [::1].');
  }
  const isCrossSite = headers['sec-fetch-site'] === 'cross-site' && method !== 'GET';
  if (isCrossSite || (headers.origin !== undefined && !isLocal(headers.origin))) {
    throw new ControlError(403, 'The control API rejects requests from pages of other sites.');
  }
  next();
}

const rawBodies = new WeakMap<object, string>();

function keepRawBody(request: object, _response: unknown, body: Buffer): void {
  rawBodies.set(request, body.toString('utf8'));
}

function toControlRequest(request: Request): ControlRequest {
  const query = new URLSearchParams(request.url.slice(request.path.length));
  const { headers } = request;
  const rawBody = rawBodies.get(request) ?? '';
  return { query, params: request.params as Record<string, string>, body: request.body as unknown, rawBody, headers };
}

/** `curl -d '{...}'` labels JSON as a form. */
function readJsonSentAsForm(request: Request, _response: Response, next: NextFunction): void {
  const text = rawBodies.get(request) ?? '';
  if (text.trimStart().startsWith('{')) {
    try {
      request.body = JSON.parse(text);
    } catch {
      throw new ControlError(400, 'The body is not valid JSON.');
    }
  }
  next();
}

/** Every body except forms of pages and of the payment processor's library is JSON, regardless of its Content-Type. */
function isNoForm({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return !(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
}

function send(response: Response, result: unknown): void {
  if (result instanceof ControlCut) response.destroy();
  else if (result instanceof ControlPage)
    response.status(result.status).set(result.headers).type(result.contentType).send(result.body);
  else response.json(result ?? { ok: true });
}

/** Errors of Express (malformed JSON or path, oversized body) have a status as well. */
function sendError(response: Response, error: unknown): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  response.status(status).json({ error: error instanceof Error ? error.message : String(error) });
}
