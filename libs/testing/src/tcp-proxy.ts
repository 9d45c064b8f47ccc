import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a service and a server, so that a test can interrupt the connection of that service only. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** `targetUrl`: host and port of the server. */
  static async start(targetUrl: string): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const proxy = new TcpProxy(server, new URL(targetUrl));
    server.on('connection', (socket) => proxy.accept(socket));
    return proxy;
  }

  /** Returns the URL of the server through this proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String((this.server.address() as AddressInfo).port);
    return proxied.href;
  }

  /** The environment of a service that reaches its database through this proxy. */
  databaseSettings(databaseUrl: string, statementTimeoutMs = 3_000): Record<string, string> {
    return {
      DATABASE_URL: this.through(databaseUrl),
      DATABASE_STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
      DATABASE_CONNECT_TIMEOUT_MS: '3000',
    };
  }

  /** Closes all connections and rejects new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  heal(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(inner: Socket): void {
    if (this.isCut) {
      inner.destroy();
      return;
    }
    const outer = connect(Number(this.target.port), this.target.hostname);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(one);
      one.pipe(other);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
