import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { readTranscript, seqOf } from '@heliograph/bot-conversations';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import {
  CONFIG,
  Health,
  Heartbeat,
  LOGGER,
  METRICS,
  Periodic,
  StreamShares,
  type Logger,
} from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import { ConversationsRepository, type ConversationState } from '../visitors/conversations.repository';
import { EventStream } from './event-stream';
import { conversationEvent, LiveConversations, messageEvent } from './live-conversations';
import type { Followed } from './live.repository';

/** Maximum number of messages in memory during a replay. */
const REPLAY_PAGE = 20;
const RETRY_AFTER_SECONDS = 5;

interface NewStream {
  response: ServerResponse;
  /** Network of the client; see `networkOf`. */
  network: string;
  /** Sequence number of the last message that the client has received. */
  seq: number;
}

/** Opens event streams, replays missed events to them, and closes them at shutdown. */
@Injectable()
export class EventStreamsService {
  private readonly streams = new Set<EventStream>();
  private readonly shares = new StreamShares<EventStream>();
  /** Number of open streams by network. */
  private readonly networks = new Map<string, number>();
  private readonly heartbeat = new Heartbeat();
  private readonly cuts: Counter;
  private isStopping = false;

  constructor(
    private readonly pool: Pool,
    private readonly conversations: ConversationsRepository,
    private readonly live: LiveConversations,
    @Inject(CONFIG) private readonly config: BotRuntimeConfig,
    @Inject(LOGGER) private readonly log: Logger,
    health: Health,
    @Inject(METRICS) registry: Registry,
  ) {
    health.onStop(() => this.endAll());
    const { streams } = this;
    const registers = [registry];
    new Gauge({
      name: 'bot_event_streams',
      help: 'Open event streams',
      registers,
      collect() {
        this.set(streams.size);
      },
    });
    this.cuts = new Counter({
      name: 'bot_event_streams_cut_total',
      help: 'Event streams that were closed because the client did not read',
      registers,
    });
  }

  /**
   * Returns the sequence number of the given message, or of the newest message if no message is given. Throws
   * INVALID_REQUEST for a message of another conversation.
   */
  async startOf({ id, lastSeq }: ConversationState, after: string | undefined): Promise<number> {
    if (after === undefined) return lastSeq;
    const seq = await seqOf(this.pool, id, after);
    if (seq === null) {
      throw new AppError(
        'INVALID_REQUEST',
        'after must be the id of a message of this conversation. Omit it to start with the newest message.',
      );
    }
    return seq;
  }

  /** Throws RATE_LIMITED if too many streams are open, and SERVICE_UNAVAILABLE during shutdown. */
  assertRoom({ id, organizationId }: ConversationState, network: string): void {
    if (this.isStopping) throw serviceUnavailable('the service is shutting down', undefined, RETRY_AFTER_SECONDS);
    if (this.isFull && !this.shares.isBelowShare(organizationId, this.config.BOT_MAX_STREAMS)) {
      throw tooMany(
        'Too many event streams of the bots of this organization are open. Read the messages, and try again after the seconds in Retry-After.',
      );
    }
    const { BOT_MAX_STREAMS_PER_CONVERSATION: most, BOT_MAX_STREAMS_PER_IP: mostOfNetwork } = this.config;
    if (this.live.countOf(id) >= most) {
      throw tooMany(`This conversation already has ${most} event streams. Close one of them.`);
    }
    if (mostOfNetwork > 0 && (this.networks.get(network) ?? 0) >= mostOfNetwork) {
      throw tooMany(
        `This address already has ${mostOfNetwork} event streams. Close one of them, or read the messages.`,
      );
    }
  }

  /** Opens a stream that continues after the message with number `seq`. */
  open(conversation: ConversationState, { response, network, seq }: NewStream): void {
    const { id, organizationId } = conversation;
    // The client of the other stream connects again, and continues after the last event that it has received.
    if (this.isFull) this.shares.oldestOfLargest()?.end();
    const stream = new EventStream(response, seq, {
      behind: () => this.catchUp(null, stream, followed),
      closed: (wasStuck) => {
        this.streams.delete(stream);
        this.shares.delete(organizationId, stream);
        this.release(network);
        this.live.leave(id, stream);
        endBeats();
        if (wasStuck) this.cuts.inc();
      },
    });
    const followed = this.live.join(conversation, stream);
    const endBeats = this.heartbeat.add(stream);
    this.streams.add(stream);
    this.shares.add(organizationId, stream);
    this.networks.set(network, (this.networks.get(network) ?? 0) + 1);
    stream.open();
    this.catchUp(conversation, stream, followed);
  }

  private catchUp(found: ConversationState | null, stream: EventStream, followed: Followed): void {
    this.replay(found, stream, followed).catch((error: unknown) => {
      this.log.warn({ err: error }, 'failed to replay the events of a conversation');
      stream.end();
    });
  }

  /** Replays existing events to the stream, and then subscribes the stream to new events. */
  private async replay(found: ConversationState | null, stream: EventStream, followed: Followed): Promise<void> {
    for (let known = found; !stream.isClosed; known = null) {
      await stream.room();
      const conversation = known ?? (await this.conversations.byIdAcrossTenants(followed.id));
      if (!conversation) return stream.end();
      if (conversation.revision > stream.revision) {
        stream.revision = conversation.revision;
        stream.write(conversationEvent(conversation));
      }
      await this.replayMessages(stream, conversation);
      // There must be no await between this check and the next line, so that no event is missed.
      if (stream.seq >= followed.seq && stream.revision >= followed.revision) {
        stream.isLive = true;
        return;
      }
    }
  }

  private async replayMessages(stream: EventStream, { id, lastSeq }: ConversationState): Promise<void> {
    while (stream.seq < lastSeq && !stream.isClosed) {
      const messages = await readTranscript(this.pool, id, stream.seq, REPLAY_PAGE);
      if (messages.length === 0) return;
      for (const message of messages) {
        await stream.room();
        if (stream.isClosed) return;
        stream.seq = message.seq;
        stream.write(messageEvent(message));
      }
    }
  }

  private get isFull(): boolean {
    return this.streams.size >= this.config.BOT_MAX_STREAMS;
  }

  private release(network: string): void {
    const open = (this.networks.get(network) ?? 0) - 1;
    if (open > 0) this.networks.set(network, open);
    else this.networks.delete(network);
  }

  private endAll(): void {
    this.isStopping = true;
    for (const stream of this.streams) stream.end();
  }

  @Periodic({ everyMs: 1_000 })
  sendHeartbeats(): void {
    this.heartbeat.tick();
  }
}

function tooMany(message: string): AppError {
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
