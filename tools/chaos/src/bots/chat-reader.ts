import { setTimeout as delay } from 'node:timers/promises';
import { pick } from '../random';
import type { Chat, MessageRecord } from './chat-records';
import { EventParser } from './sse';

const AGAIN_MS = 200;
/** Of the streams that are cut by their reader: after how long, at most. */
const LIVED_MS = 12_000;
const CUT_SHARE = 0.5;

/**
 * An open tab: keeps an event stream open, at either process, and after a break goes on behind the last message that it
 * knows. What it was told of, in that order.
 */
export class ChatReader {
  /** Of all messages, over all breaks. */
  readonly told: MessageRecord[] = [];
  readonly problems: string[] = [];
  connections = 0;
  /** The first message that its visitor knew; it is told of what comes later. Null: there is none yet. */
  after: string | null = null;
  private readonly closing = new AbortController();
  private readonly life: Promise<void>;

  constructor(
    readonly chat: Chat,
    private readonly urls: readonly string[],
  ) {
    this.life = this.live();
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.life;
  }

  private async live(): Promise<void> {
    while (!this.closing.signal.aborted) {
      this.after ??= firstKnown(this.chat);
      if (this.after !== null) await this.follow(this.told.at(-1)?.id ?? this.after).catch(() => undefined);
      await delay(AGAIN_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  private async follow(after: string): Promise<void> {
    const cut = new AbortController();
    const onClosing = (): void => cut.abort();
    this.closing.signal.addEventListener('abort', onClosing);
    const timer = Math.random() < CUT_SHARE ? setTimeout(onClosing, Math.random() * LIVED_MS) : undefined;
    try {
      const isInHeader = Math.random() < 0.5;
      const query = isInHeader ? '' : `?after=${after}`;
      const answer = await fetch(`${pick(this.urls)}/api/v1/chat/conversations/${this.chat.id}/events${query}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${this.chat.token}`,
          ...(isInHeader ? { 'last-event-id': after } : {}),
        },
        signal: cut.signal,
      });
      if (!answer.ok) {
        const text = await answer.text();
        if (answer.status !== 503) this.problems.push(`the events of ${this.chat.id}: ${answer.status} ${text}`);
        return;
      }
      this.connections++;
      await this.read(answer);
    } finally {
      clearTimeout(timer);
      this.closing.signal.removeEventListener('abort', onClosing);
    }
  }

  private async read(answer: Response): Promise<void> {
    const [parser, decoder] = [new EventParser(), new TextDecoder()];
    for await (const chunk of answer.body ?? []) {
      for (const { event, id, data } of parser.take(decoder.decode(chunk as Uint8Array, { stream: true }))) {
        if (event !== 'message') continue;
        const { message } = data as { message: MessageRecord };
        if (id !== message.id) this.problems.push(`the event ${id} tells of the message ${message.id}`);
        this.told.push(message);
      }
    }
  }
}

function firstKnown({ opening, posts }: Chat): string | null {
  return opening?.id ?? posts.find(({ answer }) => answer !== null)?.answer?.userMessage.id ?? null;
}
