import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * One address in front of several servers, as a Service of Kubernetes or a TCP load balancer: a new connection goes to the first target
 * that accepts it, in turn.
 */
export class TcpSwitch {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => void this.forward(socket));
  private next = 0;

  private constructor(private targets: readonly number[]) {}

  static async listen(port: number, targets: readonly number[]): Promise<TcpSwitch> {
    const tcp = new TcpSwitch(targets);
    await new Promise<void>((resolve) => tcp.server.listen(port, '127.0.0.1', resolve));
    return tcp;
  }

  /** Directs new connections to these ports, and ends the existing ones. */
  direct(targets: readonly number[]): void {
    this.targets = targets;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async forward(socket: Socket): Promise<void> {
    this.track(socket);
    socket.pause();
    const target = await this.connectToAny();
    if (!target) return void socket.destroy();
    this.track(target);
    socket.once('close', () => target.destroy());
    target.once('close', () => socket.destroy());
    socket.pipe(target).pipe(socket);
  }

  private async connectToAny(): Promise<Socket | null> {
    const { targets } = this;
    const first = this.next++;
    for (let tried = 0; tried < targets.length; tried++) {
      const socket = await connectTo(targets[(first + tried) % targets.length] ?? 0);
      if (socket) return socket;
    }
    return null;
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
  }
}

function connectTo(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}
