import { setTimeout as delay } from 'node:timers/promises';
import { pick } from '@heliograph/bench-data';
import { EventStreamParser } from './event-stream-parser';
import type { MessageRecord, VisitorConversation } from './visitor-conversation';

const RECONNECT_MS = 200;
/** The share of connections that the reader cuts itself, and after how long at most. */
const CUT_SHARE = 0.5;
const MAX_CONNECTION_MS = 12_000;

/**
 * A visitor's open tab: keeps an event stream open at either replica, and reconnects after the last message that it
 * received. Records the messages in the order of their arrival.
 */
export class EventStreamReader {
  /** All messages over all connections. */
  readonly received: MessageRecord[] = [];
  readonly problems: string[] = [];
  /** The id of the message after which the stream starts; null until there is a message. */
  after: string | null = null;
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    readonly conversation: VisitorConversation,
    private readonly urls: readonly string[],
  ) {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      this.after ??= firstKnownMessage(this.conversation);
      if (this.after !== null) await this.connect(this.received.at(-1)?.id ?? this.after).catch(() => undefined);
      await delay(RECONNECT_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  private async connect(after: string): Promise<void> {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(), Math.random() * MAX_CONNECTION_MS);
    if (Math.random() >= CUT_SHARE) clearTimeout(timer);
    try {
      const usesHeader = Math.random() < 0.5;
      const query = usesHeader ? '' : `?after=${after}`;
      const { id, token } = this.conversation;
      const response = await fetch(`${pick(this.urls)}/api/v1/chat/conversations/${id}/events${query}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(usesHeader ? { 'last-event-id': after } : {}),
        },
        signal: AbortSignal.any([cut.signal, this.closing.signal]),
      });
      if (response.ok) return await this.read(response);
      const text = await response.text();
      if (response.status !== 503) this.problems.push(`the event stream of ${id} returned ${response.status} ${text}`);
    } finally {
      clearTimeout(timer);
    }
  }

  private async read(response: Response): Promise<void> {
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const { event, id, data } of parser.push(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        if (event !== 'message') continue;
        const { message } = data as { message: MessageRecord };
        if (id !== message.id) this.problems.push(`the event ${id} contains the message ${message.id}`);
        this.received.push(message);
      }
    }
  }
}

function firstKnownMessage({ openingReply, posts }: VisitorConversation): string | null {
  return openingReply?.id ?? posts.find(({ answer }) => answer !== null)?.answer?.userMessage.id ?? null;
}
