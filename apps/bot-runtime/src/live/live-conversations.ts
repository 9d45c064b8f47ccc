import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { botConversationChanged, botConversationEnded, botMessageReceived } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { FairQueue } from '@heliograph/fairness';
import { BUS, type Bus, type Consumption } from '@heliograph/messaging';
import { LOGGER, Periodic, sseEvent, type Logger } from '@heliograph/service-kit';
import { ConversationRecord } from '../conversations/conversation.dto';
import { MessageRecord } from '../messages/message.dto';
import type { ConversationState } from '../visitors/conversations.repository';
import type { EventStream } from './event-stream';
import { LiveRepository, type Followed, type NewMessage } from './live.repository';

/** Conversations that are read at once, which takes a few milliseconds. */
const MAX_CONVERSATIONS = 500;
const MAX_MESSAGES = 50;
const HINTS = [botMessageReceived.type, botConversationChanged.type, botConversationEnded.type];

/** A conversation with open streams, and the position of its live streams. */
interface Watch extends Followed {
  organizationId: string;
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
 * Sends new events of this and other processes to the streams of their conversations. A notification contains only the
 * conversation; the events are read from the database in order, for many conversations at once.
 */
@Injectable()
export class LiveConversations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly watches = new Map<string, Watch>();
  /** Conversations that may have new events; organizations take turns. */
  private readonly pending = new FairQueue<string>();
  private readonly isPending = new Set<string>();
  private isPublishing = false;
  private listening: Consumption | null = null;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly repository: LiveRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.listening = await this.bus.subscribe(HINTS, (payload) => {
      const { data } = (payload ?? {}) as { data?: { conversationId?: unknown } };
      if (isId(data?.conversationId)) this.notify(data.conversationId);
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.listening?.stop();
  }

  /** Number of streams of a conversation. */
  countOf(conversationId: string): number {
    return this.watches.get(conversationId)?.streams.size ?? 0;
  }

  /** Subscribes a stream to the conversation. The stream receives events while it is live. */
  join({ id, organizationId, lastSeq, revision }: ConversationState, stream: EventStream): Followed {
    let watch = this.watches.get(id);
    if (!watch) {
      watch = { id, organizationId, seq: lastSeq, revision, streams: new Set() };
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

  /** To be called when the conversation may have new events. */
  notify(conversationId: string): void {
    const watch = this.watches.get(conversationId);
    if (!watch) return;
    if (!this.isPending.has(conversationId)) {
      this.isPending.add(conversationId);
      this.pending.push([watch.organizationId], conversationId);
    }
    if (this.isPublishing) return;
    this.isPublishing = true;
    // The events of all notifications of one event loop iteration are read together.
    setImmediate(() => void this.publishAll());
  }

  /** Finds events whose notifications were lost. */
  @Periodic({ everyMs: 3_000 })
  notifyAll(): void {
    for (const id of this.watches.keys()) this.notify(id);
  }

  private async publishAll(): Promise<void> {
    try {
      while (this.pending.size > 0) {
        const watches = this.nextWatches();
        if (watches.length > 0) await this.publish(watches);
      }
    } catch (error) {
      // The next poll reads the missed events.
      this.log.warn({ err: error }, 'failed to read new events of conversations; retrying');
    } finally {
      this.isPublishing = false;
    }
  }

  private nextWatches(): Watch[] {
    const watches: Watch[] = [];
    while (watches.length < MAX_CONVERSATIONS) {
      const id = this.pending.shift();
      if (id === undefined) break;
      this.isPending.delete(id);
      const watch = this.watches.get(id);
      if (watch) watches.push(watch);
    }
    return watches;
  }

  private async publish(watches: readonly Watch[]): Promise<void> {
    const changed = await this.repository.changedAcrossTenants(watches);
    const grown = changed.filter(({ id, lastSeq }) => lastSeq > (this.watches.get(id)?.seq ?? lastSeq));
    const known = grown.map(({ id, revision }) => ({ id, revision, seq: this.watches.get(id)?.seq ?? 0 }));
    const messages = known.length > 0 ? await this.repository.messagesAcrossTenants(known, MAX_MESSAGES) : [];
    for (const message of messages) this.sendMessage(message);
    for (const conversation of changed) this.sendConversation(conversation);
    // A conversation may have more messages than one read returns, so it is read again.
    const counts = new Map<string, number>();
    for (const { conversationId: id } of messages) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const [id, count] of counts) if (count === MAX_MESSAGES) this.notify(id);
  }

  private sendMessage(message: NewMessage): void {
    const watch = this.watches.get(message.conversationId);
    // The position may have changed since the read, because a stream has joined. Another read follows.
    if (!watch || message.seq !== watch.seq + 1) return;
    const event = messageEvent(message);
    for (const stream of watch.streams) {
      if (message.seq > stream.seq && stream.send(event)) stream.seq = message.seq;
    }
    watch.seq = message.seq;
  }

  private sendConversation(conversation: ConversationState): void {
    const watch = this.watches.get(conversation.id);
    if (!watch || conversation.revision <= watch.revision) return;
    watch.revision = conversation.revision;
    const event = conversationEvent(conversation);
    for (const stream of watch.streams) {
      const { revision } = conversation;
      if (revision > stream.revision && stream.send(event)) stream.revision = revision;
    }
  }
}
