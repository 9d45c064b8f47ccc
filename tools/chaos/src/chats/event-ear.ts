import { RabbitBus } from '@heliograph/messaging';
import { setTimeout as delay } from 'node:timers/promises';

export interface HeardEvent {
  id: string;
  type: string;
  data: { messageId: string };
}

const PATIENCE_MS = 15_000;
const SILENT = { info: () => undefined, warn: () => undefined };

/** Listens to all that is told of chats, and knows what it has heard already by the event's id. */
export class EventEar {
  readonly heard = new Map<string, HeardEvent>();

  private constructor(private readonly bus: RabbitBus) {}

  /** Hears everything that is published from now on. */
  static async open(url: string, prefix: string): Promise<EventEar> {
    const bus = new RabbitBus({ url, prefix, connectionName: 'chaos', isMandatory: () => false, log: SILENT });
    const ear = new EventEar(bus);
    await bus.start();
    await until(() => bus.ready);
    await bus.consume({ name: 'chaos.ear', bindings: ['chatapp.#'], prefetch: 100 }, ({ payload }) => {
      const event = payload as HeardEvent;
      ear.heard.set(event.id, event);
      return Promise.resolve({ kind: 'done' });
    });
    await until(async () => (await bus.depth('chaos.ear')) !== null);
    return ear;
  }

  /** How often each of these events was told of a message. */
  told(type: string): string[] {
    return [...this.heard.values()].filter((event) => event.type === type).map(({ data }) => data.messageId);
  }

  /** Waits until nothing is left to hear. */
  async listen(): Promise<void> {
    await until(async () => (await this.bus.depth('chaos.ear').catch(() => null)) === 0);
  }

  close(): Promise<void> {
    return this.bus.stop();
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(50)) if (await holds()) return;
}
