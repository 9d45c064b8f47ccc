import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Script = (request: IncomingMessage, response: ServerResponse) => void;

/** A simulated provider with scripted responses, including failures of the connection. */
export class UpstreamServer {
  /** The first handler processes the next request; the last one is used repeatedly. */
  scripts: Script[] = [json(200, {})];
  readonly requests: IncomingMessage[] = [];
  readonly bodies: string[] = [];
  connections = 0;
  private port = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request);
      const [script] = this.scripts.length > 1 ? this.scripts.splice(0, 1) : this.scripts;
      script?.(request, response);
    });
  }

  static async start(): Promise<UpstreamServer> {
    const server = createServer();
    const upstream = new UpstreamServer(server);
    await upstream.restart();
    upstream.port = (server.address() as AddressInfo).port;
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts on the same port as before. */
  async restart(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Reads the body and sends a response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  };
}

/** Reads the body and never responds. */
export const silence: Script = (request) => void request.resume();

/** Reads the body and closes the connection. */
export const cut: Script = (request) => void request.resume().once('end', () => request.socket.destroy());
