import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_BODY_BYTES = 1_000_000;
const REQUEST_TIMEOUT_MS = 10_000;

export type ControlMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';

export interface ControlRequest {
  query: URLSearchParams;
  /** Named segments of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined where there was no body. */
  body: unknown;
}

/** An answer that is not JSON, such as a page. */
export class ControlPage {
  constructor(
    readonly body: string | Buffer,
    readonly contentType = 'text/html; charset=utf-8',
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** An answer other than 200. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** What a handler returns goes out as JSON; nothing at all as `{ok: true}`. */
export type ControlHandler = (request: ControlRequest) => unknown;

interface Route {
  method: ControlMethod;
  segments: string[];
  handler: ControlHandler;
}

/** The JSON API by which tests and people steer the simulators. No authentication, so it listens on loopback alone. */
export class ControlApi {
  private readonly routes: Route[] = [];
  private server: Server | null = null;

  /** A segment in braces is a parameter: `/platform/templates/{name}`. */
  route(method: ControlMethod, path: string, handler: ControlHandler): this {
    this.routes.push({ method, segments: path.split('/'), handler });
    return this;
  }

  /** Listens on 127.0.0.1; 0 takes any free port. Resolves with the port. */
  async start(port = 0): Promise<number> {
    const server = createServer((request, response) => void this.serve(request, response));
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
    if (!address) throw new Error('The control API does not listen; start it first.');
    return address.port;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.answer(request);
      if (answer instanceof ControlPage) sendPage(response, answer);
      else sendJson(response, 200, answer ?? { ok: true });
    } catch (error) {
      const status = error instanceof ControlError ? error.status : 500;
      // The rest of an oversized body is not read, so the connection cannot be used again.
      if (status === 413) response.setHeader('connection', 'close');
      sendJson(response, status, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  private async answer(request: IncomingMessage): Promise<unknown> {
    const [path = '', query = ''] = splitOnce(request.url ?? '/', '?');
    const found = this.find(request.method ?? '', path);
    const body = await readBody(request);
    return found.handler({ query: new URLSearchParams(query), params: found.params, body });
  }

  private find(method: string, path: string): { handler: ControlHandler; params: Record<string, string> } {
    const segments = path.split('/');
    const matches = this.routes.flatMap((route) => {
      const params = matchSegments(route.segments, segments);
      return params ? [{ ...route, params }] : [];
    });
    const match = matches.find((route) => route.method === method);
    if (match) return match;
    if (matches.length === 0) throw new ControlError(404, `nothing at ${path}`);
    throw new ControlError(405, `${path} takes ${matches.map((route) => route.method).join(', ')}`);
  }
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    if (expected.startsWith('{') && actual !== '') params[expected.slice(1, -1)] = decode(actual);
    else if (expected !== actual) return null;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlError(400, 'the path is not valid percent-encoding');
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The stream must outlive a body that is too long: the answer goes out over the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new ControlError(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, 'the body is not JSON');
  }
}

function sendPage(response: ServerResponse, { body, contentType, headers }: ControlPage): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, 200, body, contentType);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, JSON.stringify(body), 'application/json');
}

function send(response: ServerResponse, status: number, body: string | Buffer, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
