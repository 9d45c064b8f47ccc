import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { testServers, unique, until } from '@heliograph/testing';
import { LimiterStorage } from './limiter-storage';

const TIMEOUT_MS = 100;

/** A proxy to Redis. Its connections from before `hang()` stay open, but nothing is forwarded over them any more. */
class HangingProxy {
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HangingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new HangingProxy(server);
    server.on('connection', (socket) => proxy.accept(socket));
    return proxy;
  }

  get url(): string {
    const url = new URL(testServers.redisUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  hang(): void {
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(inner: Socket): void {
    this.connections += 1;
    const target = new URL(testServers.redisUrl);
    const outer = connect(Number(target.port || 6_379), target.hostname);
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
  }
}

describe('LimiterStorage', () => {
  let proxy: HangingProxy;
  let storage: LimiterStorage;
  const key = `limiter-${unique()}`;
  const count = async () => (await storage.increment(key, 60_000, 1_000, 60_000, 'default')).totalHits;

  beforeEach(async () => {
    proxy = await HangingProxy.start();
    storage = new LimiterStorage(proxy.url, TIMEOUT_MS);
    await until('Redis is connected', () => storage.usesRedis);
  });
  afterEach(async () => {
    storage.close();
    await proxy.stop();
  });

  it('waits only once per second for a Redis that does not answer', async () => {
    await count();
    proxy.hang();
    const startMs = performance.now();
    for (let calls = 1; calls <= 50; calls += 1) expect(await count()).toBe(calls);
    expect(performance.now() - startMs).toBeLessThan(10 * TIMEOUT_MS);
    expect(storage.usesRedis).toBe(false);
  });

  it('replaces a connection that does not answer', async () => {
    const shared = await count();
    proxy.hang();
    await count();
    await until('Redis is connected again', () => proxy.connections === 2 && storage.usesRedis);
    expect(await count()).toBeGreaterThan(shared);
  });

  it('keeps an idle connection', async () => {
    await count();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await count();
    expect(proxy.connections).toBe(1);
  });
});
