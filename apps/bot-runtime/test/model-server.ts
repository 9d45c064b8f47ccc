import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ModelRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: {
    model: string;
    stream: boolean;
    max_tokens?: number;
    messages: { role: string; content: string }[];
    [field: string]: unknown;
  };
  /** Whether the client disconnected before the response was complete. */
  isAborted: boolean;
}

export type ModelScript = (response: ServerResponse, request: ModelRequest) => Promise<void> | void;

/** A simulated language model with scripted responses: chat completions over real HTTP. */
export class ModelServer {
  /** Scripts for the next requests; the last one is repeated. */
  scripts: ModelScript[] = [saying('NO_ANSWER')];
  readonly requests: ModelRequest[] = [];
  connections = 0;
  private port = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.take(request, response));
  }

  static async start(): Promise<ModelServer> {
    const server = createServer();
    const model = new ModelServer(server);
    await model.restart();
    model.port = (server.address() as AddressInfo).port;
    return model;
  }

  /** The value of BOT_MODEL_URL. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** The environment of a service that uses this model. */
  get environment(): Record<string, string> {
    return { BOT_MODEL_URL: this.url, BOT_MODEL_NAME: 'stand-in', BOT_MODEL_KEY: 'sk-key-of-the-tests-0123456789' };
  }

  /** Listens again on the same port. */
  async restart(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [script] = this.scripts.length > 1 ? this.scripts.splice(0, 1) : this.scripts;
    let text = '';
    for await (const part of request) text += String(part);
    const asked: ModelRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text) as ModelRequest['body'],
      isAborted: false,
    };
    response.on('close', () => (asked.isAborted = !response.writableFinished));
    this.requests.push(asked);
    await script?.(response, asked);
  }
}

export interface Saying {
  /** The number of characters of each chunk. */
  every?: number;
  usage?: number | null;
  finish?: string;
  /** Runs before each chunk except the first. */
  between?: (chunk: number, response: ServerResponse) => Promise<void> | void;
}

/** Streams the text in chunks, with usage and `[DONE]` at the end. */
export function saying(text: string, { every = 5, usage = 120, finish = 'stop', between }: Saying = {}): ModelScript {
  return async (response) => {
    begin(response);
    for (let from = 0, chunk = 0; from < text.length; from += every, chunk++) {
      if (chunk > 0) await between?.(chunk, response);
      response.write(chunkOf(text.slice(from, from + every)));
    }
    response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
    if (usage !== null) response.write(event({ choices: [], usage: { total_tokens: usage } }));
    response.end('data: [DONE]\n\n');
  };
}

/** Writes the lines unchanged. */
export function raw(...lines: string[]): ModelScript {
  return (response) => {
    begin(response);
    response.end(lines.join('\n'));
  };
}

export function refusing(status: number, body: unknown = {}, headers: Record<string, string> = {}): ModelScript {
  return (response) => void response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Receives the request and does not respond. */
export const silence: ModelScript = () => undefined;

/** Receives the request and closes the connection. */
export const cut: ModelScript = (response) => void response.destroy();

/** Repeats the prompt and the headers, which no visitor may see. */
export const echo: ModelScript = (response, { headers, body }) => {
  const told = body.messages.map(({ content }) => content).join('\n\n');
  return saying(`Sure [1]. ${told} ${String(headers.authorization)}`, { every: 40 })(response, {} as ModelRequest);
};

/** Resolves when the written data has been sent. */
export function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.write(': so far\n\n', () => resolve()));
}

export function chunkOf(content: string): string {
  return event({ choices: [{ index: 0, delta: { content } }] });
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': ready\n\n');
}

function event(data: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...data })}\n\n`;
}
