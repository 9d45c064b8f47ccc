import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { botConversationChanged, botConversationEnded, botMessageReceived } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { BUS, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { ConversationRecord, MessageRecord } from '../conversations/records.dto';
import type { ConversationState } from '../conversations/conversations.repository';
import type { EventStream } from './event-stream';
import { LiveRepository, type Followed, type NewMessage } from './live.repository';
import { sseEvent } from './sse';

/** What makes a lost hint harmless. */
const CATCH_UP_MS = 3_000;
const MOST_CONVERSATIONS = 5_000;
const MOST_MESSAGES = 50;
const HINTS = [botMessageReceived.type, botConversationChanged.type, botConversationEnded.type];

/** A conversation that somebody follows, and how far all its live streams have been told of it. */
interface Watch extends Followed {
  streams: Set<EventStream>;
}

export function messageEvent(message: NewMessage | Omit<NewMessage, 'conversationId'>): string {
  return sseEvent('message', { message: MessageRecord.of(message) }, message.id);
}

export function conversationEvent(conversation: ConversationState): string {
  const { isTakenOver: paused } = conversation;
  return sseEvent('conversation', { conversation: ConversationRecord.of(conversation), paused });
}

/**
 * Tells streams what is new in their conversations, from this process and from others. A hint says only that something
 * is; what it is comes from the database, in the order of the conversation, for many conversations at once.
 */
@Injectable()
export class LiveConversations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly watches = new Map<string, Watch>();
  private readonly hinted = new Set<string>();
  private isTelling = false;
  private catchUp: NodeJS.Timeout | null = null;
  private listening: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LiveRepository) private readonly repository: LiveRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.listening = await this.bus.listen(HINTS, (payload) => {
      const { data } = (payload ?? {}) as { data?: { conversationId?: unknown } };
      if (isId(data?.conversationId)) this.hint(data.conversationId);
    });
    this.catchUp = setInterval(() => this.hintAll(), CATCH_UP_MS);
    this.catchUp.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.catchUp) clearInterval(this.catchUp);
    await this.listening?.stop();
  }

  /** Streams of a conversation. */
  countOf(conversationId: string): number {
    return this.watches.get(conversationId)?.streams.size ?? 0;
  }

  /** From now on the conversation is followed for this stream; it is told once it is live. */
  join({ id, lastSeq, revision }: ConversationState, stream: EventStream): Followed {
    let watch = this.watches.get(id);
    if (!watch) {
      watch = { id, seq: lastSeq, revision, streams: new Set() };
      this.watches.set(id, watch);
    }
    watch.streams.add(stream);
    return watch;
  }

  leave(conversationId: string, stream: EventStream): void {
    const watch = this.watches.get(conversationId);
    watch?.streams.delete(stream);
    if (watch?.streams.size === 0) this.watches.delete(conversationId);
  }

  /** Something may be new in this conversation. */
  hint(conversationId: string): void {
    if (!this.watches.has(conversationId)) return;
    this.hinted.add(conversationId);
    if (this.isTelling) return;
    this.isTelling = true;
    // Whatever this turn of the event loop still brings is read with it.
    setImmediate(() => void this.tellAll());
  }

  private hintAll(): void {
    for (const id of this.watches.keys()) this.hint(id);
  }

  private async tellAll(): Promise<void> {
    try {
      while (this.hinted.size > 0) {
        const ids = [...this.hinted].slice(0, MOST_CONVERSATIONS);
        for (const id of ids) this.hinted.delete(id);
        const watches = ids.map((id) => this.watches.get(id)).filter((watch) => watch !== undefined);
        if (watches.length > 0) await this.tell(watches);
      }
    } catch (error) {
      // The next look at all of them tells what is missed now.
      this.log.warn({ err: error }, 'could not look for what is new in conversations');
    } finally {
      this.isTelling = false;
    }
  }

  private async tell(watches: readonly Watch[]): Promise<void> {
    const changed = await this.repository.changedAcrossTenants(watches);
    const grown = changed.filter(({ id, lastSeq }) => lastSeq > (this.watches.get(id)?.seq ?? lastSeq));
    const known = grown.map(({ id, revision }) => ({ id, revision, seq: this.watches.get(id)?.seq ?? 0 }));
    const messages = known.length > 0 ? await this.repository.messagesAcrossTenants(known, MOST_MESSAGES) : [];
    for (const message of messages) this.tellMessage(message);
    for (const conversation of changed) this.tellConversation(conversation);
    // There may be more than is read at once.
    const counts = new Map<string, number>();
    for (const { conversationId: id } of messages) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const [id, count] of counts) if (count === MOST_MESSAGES) this.hinted.add(id);
  }

  private tellMessage(message: NewMessage): void {
    const watch = this.watches.get(message.conversationId);
    // Whoever joined meanwhile may be further, or not as far: then it is read again.
    if (!watch || message.seq !== watch.seq + 1) return;
    const event = messageEvent(message);
    for (const stream of watch.streams) {
      if (message.seq > stream.seq && stream.tell(event)) stream.seq = message.seq;
    }
    watch.seq = message.seq;
  }

  private tellConversation(conversation: ConversationState): void {
    const watch = this.watches.get(conversation.id);
    if (!watch || conversation.revision <= watch.revision) return;
    watch.revision = conversation.revision;
    const event = conversationEvent(conversation);
    for (const stream of watch.streams) {
      const { revision } = conversation;
      if (revision > stream.revision && stream.tell(event)) stream.revision = revision;
    }
  }
}
