import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '@heliograph/bench-data';
import { Webhook } from 'standardwebhooks';
import { UpstreamFaultInjector } from '../upstream-fault-injector';

interface ReceivedDelivery {
  body: string;
  /** Whether an attempt was answered with 2xx. */
  isAnswered: boolean;
}

type Respond = (response: ServerResponse) => void;

const OK: Respond = (response) => response.end('ok');
const FAULTS: readonly Respond[] = [
  (response) => response.writeHead(500).end(),
  (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(404).end('x'.repeat(5_000)),
  (response) => response.socket?.destroy(),
  (response) => void setTimeout(() => response.end('late'), 400),
  // The sender must give up by itself.
  () => undefined,
];

/** A receiver of webhooks that verifies what it gets. `/healthy/…` always works, `/flapping/…` fails as the faults say. */
export class WebhookReceiver {
  readonly problems: string[] = [];
  /** By path and webhook-id. */
  private readonly received = new Map<string, Map<string, ReceivedDelivery>>();
  private readonly verifiers = new Map<string, Webhook>();
  private readonly server: Server;
  private flapping: Respond = OK;

  constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const respond = path.startsWith('/flapping') ? this.flapping : OK;
        const body = Buffer.concat(chunks).toString();
        const delivery = this.keep(path, request.headers as Record<string, string>, body);
        response.once('finish', () => (delivery.isAnswered ||= response.statusCode < 300));
        respond(response);
      });
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  expect(path: string, secret: string): void {
    this.verifiers.set(path, new Webhook(secret));
  }

  /** How `/flapping/…` answers from now on. */
  behave(respond: Respond): void {
    this.flapping = respond;
  }

  /** One entry per event that reached a path and was answered: its id and its body. */
  entriesAt(path: string): string[] {
    return [...(this.received.get(path) ?? [])]
      .filter(([, { isAnswered }]) => isAnswered)
      .map(([id, { body }]) => `${id} ${body}`);
  }

  get total(): number {
    return [...this.received.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private keep(path: string, headers: Record<string, string>, body: string): ReceivedDelivery {
    const id = headers['webhook-id'] ?? '';
    const known = this.received.get(path) ?? new Map<string, ReceivedDelivery>();
    this.received.set(path, known);
    const delivery = known.get(id) ?? { body, isAnswered: false };
    known.set(id, delivery);
    if (delivery.body !== body) this.problems.push(`${path} got ${id} with two different bodies`);
    try {
      this.verifiers.get(path)?.verify(body, headers);
    } catch (error) {
      this.problems.push(`${path} cannot verify ${id}: ${String(error)}`);
    }
    return delivery;
  }
}

/** Makes the flapping endpoints fail now and then. */
export class ReceiverFaultInjector extends UpstreamFaultInjector {
  constructor(
    private readonly receiver: WebhookReceiver,
    random: Random,
  ) {
    super(random);
  }

  protected async injectFault(): Promise<void> {
    this.receiver.behave(this.random.pick(FAULTS));
    await this.pause(200, 1_500);
    this.reset();
  }

  protected reset(): void {
    this.receiver.behave(OK);
  }
}
