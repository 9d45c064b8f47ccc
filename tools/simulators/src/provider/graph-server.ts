import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderBehaviour, ProviderBehaviours } from './behaviour';
import { FileAnswer, SendAnswer, type Endpoint, type GraphAnswer, type GraphApi, type GraphTarget } from './graph-api';
import { GraphError, refusal } from './graph-error';
import type { MediaStore } from './media/media-store';
import type { ReceivedUpload } from './media/receive-upload';
import { readJson, type ReadBody } from './read-json';
import { recipientOf, type RequestLog } from './request-log';

const REQUEST_TIMEOUT_MS = 120_000;

export interface GraphServerParts {
  api: GraphApi;
  media: MediaStore;
  behaviours: ProviderBehaviours;
  /** Null if no requests are retained. */
  log: RequestLog | null;
  product: string;
  now(): Date;
  /** Posts statuses and waits for their acknowledgement. */
  postStatuses(messageId: string, statuses: readonly string[]): Promise<void>;
}

interface Received extends ReadBody {
  upload: ReceivedUpload | null;
}

/** The HTTP server of the Graph API on loopback. Logs the calls and applies the configured behaviour. */
export class GraphServer {
  private server: Server | null = null;
  private stopping = new AbortController();

  constructor(private readonly parts: GraphServerParts) {}

  async listen(port: number, host: string): Promise<void> {
    const server = createServer((request, response) => void this.serve(request, response));
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.stopping = new AbortController();
    this.server = server;
  }

  /** The base URL without a trailing slash. */
  get origin(): string {
    const address = this.server?.address() as AddressInfo | null | undefined;
    if (!address) throw new Error('The provider simulator is not started.');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (!server) return;
    this.stopping.abort();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Disconnects every client. */
  disconnect(): void {
    this.server?.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.take(request, response);
    } catch (error) {
      // The simulator was stopped, or the client disconnected.
      if (request.socket.destroyed || this.stopping.signal.aborted) request.socket.destroy();
      else this.sendError(response, error);
    }
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = this.parts.now();
    const target = targetOf(request);
    const endpoint = this.find(target);
    const isUpload = !(endpoint instanceof GraphError) && endpoint.takes === 'upload';
    // An unreachable provider does not read the upload.
    const isCutAtOnce = isUpload && this.parts.behaviours.of(null).unreachable;
    const received = isCutAtOnce ? NOTHING : await this.read(request, endpoint);
    this.record(target, received, at);
    const behaviour = this.parts.behaviours.of(recipientOf(received.body));
    if (behaviour.delayMs > 0) await wait(behaviour.delayMs, undefined, { signal: this.stopping.signal });
    if (behaviour.unreachable) request.socket.destroy();
    else await this.answer(request, response, endpoint, received, behaviour);
  }

  private find(target: GraphTarget): Endpoint | GraphError {
    try {
      return this.parts.api.find(target);
    } catch (error) {
      if (error instanceof GraphError) return error;
      throw error;
    }
  }

  /** Stores no file if the call is rejected in any case. */
  private async read(request: IncomingMessage, endpoint: Endpoint | GraphError): Promise<Received> {
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    if (endpoint instanceof GraphError && isForm) return NOTHING;
    if (endpoint instanceof GraphError || endpoint.takes === 'json') {
      return { ...(await readJson(request)), upload: null };
    }
    if (!isForm) return { ...(await readJson(request)), upload: null, error: refusal(100, 'file is required') };
    try {
      const upload = await this.parts.media.receive(request);
      return { body: bodyOf(upload), bytes: 1_000, error: null, upload };
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      return { ...NOTHING, error };
    }
  }

  private record({ method, path, query }: GraphTarget, { body, bytes }: Received, at: Date): void {
    this.parts.log?.add({ method, path, query: Object.fromEntries(query), body, at: at.toISOString() }, bytes);
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: Endpoint | GraphError,
    received: Received,
    behaviour: ProviderBehaviour,
  ): Promise<void> {
    let taken = false;
    try {
      if (behaviour.error) throw behaviourError(behaviour.error);
      if (endpoint instanceof GraphError) throw endpoint;
      if (received.error) throw received.error;
      const answer =
        endpoint.takes === 'json'
          ? endpoint.answer(received.body)
          : endpoint.answer(received.upload ?? NO_UPLOAD, behaviour.strictMedia);
      taken = true;
      if (answer instanceof SendAnswer && behaviour.statusFirst.length > 0) {
        await this.parts.postStatuses(answer.message.id, behaviour.statusFirst);
      }
      if (behaviour.answerLost) request.socket.destroy();
      else await send(response, answer);
    } finally {
      if (!taken && received.upload) this.parts.media.discard(received.upload);
    }
  }

  private sendError(response: ServerResponse, error: unknown): void {
    const known =
      error instanceof GraphError ? error : new GraphError(500, 1, `The simulator failed: ${String(error)}`);
    if (response.headersSent) response.destroy();
    else sendJson(response, known.status, known.toJson(this.parts.product));
  }
}

const NO_UPLOAD: ReceivedUpload = { fields: {}, file: null };
const NOTHING: Received = { body: null, bytes: 0, error: null, upload: null };

function targetOf({ method = '', url = '/', headers }: IncomingMessage): GraphTarget {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  return { method, path, query, authorization: headers.authorization };
}

/** The body of an upload in the log. */
function bodyOf({ fields, file }: ReceivedUpload): unknown {
  if (!file) return fields;
  const { name, type, size, sha256 } = file;
  return { ...fields, file: { name, type, size, sha256 } };
}

function behaviourError({ status, code, message }: NonNullable<ProviderBehaviour['error']>): GraphError {
  return new GraphError(status, code, message, { details: message });
}

async function send(response: ServerResponse, answer: GraphAnswer): Promise<void> {
  if (answer instanceof SendAnswer) return sendJson(response, 200, answer.json);
  if (!(answer instanceof FileAnswer)) return sendJson(response, 200, answer);
  const { type, size, path } = answer.media;
  response.writeHead(200, { 'content-type': type, 'content-length': size });
  await pipeline(createReadStream(path), response);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
