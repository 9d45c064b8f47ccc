import { poll } from '@heliograph/harness';
import { RabbitBus } from '@heliograph/messaging';
import { QUEUE_EXPIRES_MS } from './queue-expiry';

export interface RecordedEvent {
  id: string;
  type: string;
  /** When it happened, RFC 3339. */
  time: string;
  organizationId: string | null;
  data: Record<string, unknown>;
}

const QUEUE = 'chaos.recorder';
const TIMEOUT_MS = 60_000;
const SILENT = { info: () => undefined, warn: () => undefined };

/** Consumes the events of chats, bots and leads, or all events, and records each event id once. */
export class EventRecorder {
  private readonly events = new Map<string, RecordedEvent>();

  private constructor(private readonly bus: RabbitBus) {}

  /** Records everything that is published from now on. */
  static async open(url: string, prefix: string, { all = false } = {}): Promise<EventRecorder> {
    const bus = new RabbitBus({
      url,
      prefix,
      connectionName: 'chaos',
      isMandatory: () => false,
      log: SILENT,
      queueExpiresMs: QUEUE_EXPIRES_MS,
    });
    const recorder = new EventRecorder(bus);
    await bus.start();
    await until('the broker is connected', () => bus.ready);
    const bindings = all ? ['#'] : ['chatapp.#', 'bot.#', 'lead.#'];
    await bus.consume({ name: QUEUE, bindings, prefetch: 100 }, ({ payload }) => {
      const event = payload as RecordedEvent;
      recorder.events.set(event.id, event);
      return Promise.resolve({ kind: 'ack' });
    });
    await until('the queue exists', async () => (await bus.depth(QUEUE)) !== null);
    return recorder;
  }

  /** One entry per event of a type: the values of these fields of its data. */
  entries(type: string, ...fields: string[]): string[] {
    return [...this.events.values()]
      .filter((event) => event.type === type)
      .map(({ data }) => fields.map((field) => String(data[field])).join(' '));
  }

  all(): RecordedEvent[] {
    return [...this.events.values()];
  }

  /** Waits until every published event is recorded. */
  async drain(): Promise<void> {
    await until('the queue is empty', async () => (await this.bus.depth(QUEUE).catch(() => null)) === 0);
  }

  close(): Promise<void> {
    return this.bus.stop();
  }
}

/** Throws at the deadline: an incomplete recording would make every invariant fail. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await poll(condition, { timeoutMs: TIMEOUT_MS }))) {
    throw new Error(`The event recorder timed out after ${TIMEOUT_MS} ms: waited until ${what}.`);
  }
}
