import { randomUUID } from 'node:crypto';
import { Agent, createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { discardUnreadBody } from '@heliograph/service-kit';
import { ProxyServer } from 'httpxy';
import { errorShapeOf, type ErrorShape, type ServiceName } from '../routes';
import {
  errorBody,
  errorTypeOf,
  NOT_FOUND_MESSAGE,
  RETRY_AFTER_SECONDS,
  SANE_REQUEST_ID,
  UNAVAILABLE_MESSAGE,
  UNREADABLE_MESSAGE,
} from './error-bodies';
import { findRoute } from './find-route';
import { useOriginForm } from './origin-form';
import { prepareRequest, prepareResponse } from './proxied-headers';
import { readiness } from './readiness';

export interface GatewayOptions {
  /** Ports of the existing services on 127.0.0.1. */
  services: ReadonlyMap<ServiceName, number>;
  /** The loopback address by which services recognize the gateway. */
  localAddress?: string;
  /** Which callers' X-Forwarded-* headers are trusted. Default: none. */
  isTrusted?: (address: string) => boolean;
}

/** Below the services' keep-alive of 75 s, so that a connection is not used while the service closes it. */
const UPSTREAM_IDLE_MS = 60_000;
const MAX_IDLE_CONNECTIONS = 256;

/** The gateway of the local stack: a streaming reverse proxy with the route table. */
export class Gateway {
  private readonly agent = new Agent({
    keepAlive: true,
    timeout: UPSTREAM_IDLE_MS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
    // Prefers recently used connections, so that the others can expire.
    scheduling: 'lifo',
  });
  private readonly servers: Server[] = [];
  private readonly proxy: ProxyServer;

  constructor(private readonly options: GatewayOptions) {
    const { localAddress = '127.0.0.1' } = options;
    this.proxy = new ProxyServer({ agent: this.agent, localAddress, proxyTimeout: UPSTREAM_IDLE_MS });
    this.proxy.on('proxyRes', prepareResponse);
    this.proxy.on('error', (_error, request, response) => {
      if (request && response instanceof ServerResponse) this.refuseUnavailable(request, response);
    });
  }

  /** Listens on an address; port 0 selects a free port. Resolves with the port. */
  async listen(port: number, host: string): Promise<number> {
    const server = createServer({ noDelay: true }, (request, response) => this.serve(request, response));
    server.keepAliveTimeout = 65_000;
    server.headersTimeout = 15_000;
    // No limit here: the service limits the duration of a body, because an upload over a slow connection takes long.
    server.requestTimeout = 0;
    server.on('clientError', refuseUnreadable);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Accepts no new calls; pending calls may finish within the grace period. */
  async stop(graceMs: number): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    const closeIdle = (): void => this.servers.forEach((server) => server.closeIdleConnections());
    closeIdle();
    const idle = setInterval(closeIdle, 50);
    const cut = setTimeout(() => this.servers.forEach((server) => server.closeAllConnections()), graceMs);
    await Promise.all(closed);
    clearInterval(idle);
    clearTimeout(cut);
    this.agent.destroy();
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    discardUnreadBody(request, response);
    useOriginForm(request);
    const route = findRoute(request.url ?? '');
    if (route === null) return this.serveOwn(request, response);
    const errorShape = errorShapeOf(route);
    const port = this.options.services.get(route.service);
    if (port === undefined) return answerError(request, response, 404, errorShape, 'NOT_FOUND', NOT_FOUND_MESSAGE);
    prepareRequest(request, this.options.isTrusted ?? (() => false));
    this.proxy.web(request, response, { target: { host: '127.0.0.1', port } }).catch(() => response.destroy());
  }

  /** Responds with 503 if the service has not responded. An error after its response is ignored: the service did not read the whole body. */
  private refuseUnavailable(request: IncomingMessage, response: ServerResponse): void {
    const route = findRoute(request.url ?? '');
    if (route === null || response.headersSent || response.destroyed) return;
    answerError(request, response, 503, errorShapeOf(route), 'SERVICE_UNAVAILABLE', UNAVAILABLE_MESSAGE);
  }

  private serveOwn(request: IncomingMessage, response: ServerResponse): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== '/health/ready') {
      return answerError(request, response, 404, 'messaging', 'NOT_FOUND', NOT_FOUND_MESSAGE);
    }
    readiness(this.options.services).then(
      (state) => answer(request, response, state.status === 'unavailable' ? 503 : 200, JSON.stringify(state)),
      () => response.destroy(),
    );
  }
}

function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  shape: ErrorShape,
  code: string,
  message: string,
): void {
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  answer(request, response, status, errorBody(shape, code, message), errorTypeOf(shape));
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  mediaType = 'application/json',
): void {
  const given = request.headers['x-request-id'];
  response.setHeader('X-Request-Id', typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID());
  response.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status);
  response.end(body);
}

const UNREADABLE_STATUS: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** A request that is not HTTP has no path, so the most common error shape is used. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE_STATUS[error.code ?? ''] ?? 400;
  const body = errorBody('messaging', 'INVALID_REQUEST', UNREADABLE_MESSAGE);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
