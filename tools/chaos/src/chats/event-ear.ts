import { RabbitBus } from '@heliograph/messaging';
import { setTimeout as delay } from 'node:timers/promises';

export interface HeardEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

const PATIENCE_MS = 60_000;
const SILENT = { info: () => undefined, warn: () => undefined };

/** Listens to all that is told of chats and bots, and knows what it has heard already by the event's id. */
export class EventEar {
  readonly heard = new Map<string, HeardEvent>();

  private constructor(private readonly bus: RabbitBus) {}

  /** Hears everything that is published from now on. */
  static async open(url: string, prefix: string): Promise<EventEar> {
    const bus = new RabbitBus({ url, prefix, connectionName: 'chaos', isMandatory: () => false, log: SILENT });
    const ear = new EventEar(bus);
    await bus.start();
    await until('the broker is there', () => bus.ready);
    await bus.consume(
      { name: 'chaos.ear', bindings: ['chatapp.#', 'bot.#', 'lead.#'], prefetch: 100 },
      ({ payload }) => {
        const event = payload as HeardEvent;
        ear.heard.set(event.id, event);
        return Promise.resolve({ kind: 'done' });
      },
    );
    await until('the queue is there', async () => (await bus.depth('chaos.ear')) !== null);
    return ear;
  }

  /** How often each of these events was told of a message. */
  told(type: string): string[] {
    return this.of(type).map(({ data }) => String(data['messageId']));
  }

  /** The events of a type. */
  of(type: string): HeardEvent[] {
    return [...this.heard.values()].filter((event) => event.type === type);
  }

  /** Waits until nothing is left to hear. */
  async listen(): Promise<void> {
    await until('all is heard', async () => (await this.bus.depth('chaos.ear').catch(() => null)) === 0);
  }

  close(): Promise<void> {
    return this.bus.stop();
  }
}

/** Throws when the time is up: an ear that is deaf would find everything wrong. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(50)) if (await holds()) return;
  throw new Error(`it never came to be that ${what}`);
}
