import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Respond = (response: ServerResponse, received: Received) => void;

/** An HTTP server that records requests; the response of each path can be set. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  private readonly behaviours = new Map<string, Respond>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const received = { path, headers: request.headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        const respond = this.behaviours.get(path);
        if (respond) respond(response, received);
        else response.end('ok');
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  on(path: string, respond: Respond): void {
    this.behaviours.set(path, respond);
  }

  status(path: string, status: number, headers: Record<string, string> = {}): void {
    this.on(path, (response) => response.writeHead(status, headers).end());
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
