import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappRead,
  chatappSent,
  emailBounced,
  emailDelivered,
  emailFailed,
  emailQueued,
  emailSent,
  smsDelivered,
  smsFailed,
  smsQueued,
  smsSent,
} from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import { BUS, type Bus, type Consumption } from '@heliograph/messaging';
import {
  CONFIG,
  Health,
  Heartbeat,
  LOGGER,
  METRICS,
  Periodic,
  sseEvent,
  STREAM_HEADERS,
  StreamShares,
  type Logger,
  type SharedStream,
} from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';
import type { AccountApiConfig } from '../../account-api.config';
import type { LogChannel } from './message-log.dto';
import { MessageLogRepository } from './message-log.repository';

const CHANNEL_OF_TYPE: ReadonlyMap<string, LogChannel> = new Map([
  ...[smsQueued, smsSent, smsDelivered, smsFailed].map(({ type }) => [type, 'sms'] as const),
  ...[emailQueued, emailSent, emailDelivered, emailBounced, emailFailed].map(({ type }) => [type, 'email'] as const),
  ...[chatappSent, chatappDelivered, chatappRead, chatappFailed, chatappInboundReceived].map(
    ({ type }) => [type, 'chatapp'] as const,
  ),
]);

const MAX_STREAMS_OF_ORGANIZATION = 50;
const RETRY_AFTER_SECONDS = 5;
/** Messages that change within this time are read together. */
const COLLECT_MS = 200;
/** Messages of an organization that one read returns; the rest is dropped, and the client is told to read the list. */
const MAX_MESSAGES = 200;
/** A client connects again, so that an ended session or a removed member loses access. */
const MAX_AGE_MS = 600_000;

interface MessageStream extends SharedStream {
  response: ServerResponse;
  workspaceId: string | null;
  openedAt: number;
  /** Whether events were left out because the client did not read. */
  isBehind: boolean;
  isEnding: boolean;
  sendHeartbeat(): void;
}

interface Watch {
  streams: Set<MessageStream>;
  /** Changed messages by channel. */
  changed: Map<LogChannel, Set<string>>;
  isOverflown: boolean;
}

/**
 * Streams the messages of an organization when they are accepted and when their status changes. The bus says only which messages have
 * changed; they are read from the database. A process listens to the bus while it has streams.
 */
@Injectable()
export class MessageStreams implements OnModuleDestroy {
  private readonly watches = new Map<string, Watch>();
  private readonly shares = new StreamShares<MessageStream>();
  private readonly heartbeat = new Heartbeat();
  private listening: Promise<Consumption> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private count = 0;
  private isStopping = false;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly messages: MessageLogRepository,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
    health: Health,
  ) {
    health.onStop(() => this.endAll());
    const countOf = (): number => this.count;
    new Gauge({
      name: 'message_streams',
      help: 'Open event streams of the message log',
      registers: [registry],
      collect() {
        this.set(countOf());
      },
    });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.stopListening();
  }

  /** Opens a stream. Throws RATE_LIMITED if too many streams are open, and SERVICE_UNAVAILABLE during shutdown. */
  async open(organizationId: string, workspaceId: string | null, response: ServerResponse): Promise<void> {
    if (this.isStopping) throw serviceUnavailable('the service is shutting down', undefined, RETRY_AFTER_SECONDS);
    const own = this.watches.get(organizationId)?.streams.size ?? 0;
    const hasRoom = !this.isFull || this.shares.isBelowShare(organizationId, this.config.ACCOUNT_MAX_STREAMS);
    if (own >= MAX_STREAMS_OF_ORGANIZATION || !hasRoom) {
      throw new AppError('RATE_LIMITED', 'Too many event streams are open. Close one of them, or read the list.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    // The client of the other stream connects again, and reads the list.
    if (this.isFull) endStream(this.shares.oldestOfLargest());
    this.count += 1;
    try {
      await this.listen();
    } catch (error) {
      this.count -= 1;
      throw serviceUnavailable('the bus cannot be reached', error, RETRY_AFTER_SECONDS);
    }
    const stream: MessageStream = {
      response,
      workspaceId,
      openedAt: Date.now(),
      isBehind: false,
      isEnding: false,
      sendHeartbeat: () => beat(stream),
    };
    const watch = this.watches.get(organizationId) ?? { streams: new Set(), changed: new Map(), isOverflown: false };
    this.watches.set(organizationId, watch);
    watch.streams.add(stream);
    this.shares.add(organizationId, stream);
    const endBeats = this.heartbeat.add(stream);
    const close = (): void => {
      if (!watch.streams.delete(stream)) return;
      this.count -= 1;
      this.shares.delete(organizationId, stream);
      endBeats();
      if (watch.streams.size === 0) this.watches.delete(organizationId);
      if (this.count === 0) void this.stopListening();
    };
    response.once('close', close);
    if (response.destroyed) return close();
    response.writeHead(200, STREAM_HEADERS);
    response.write(`retry: 2000\n${sseEvent('open', {})}`);
  }

  @Periodic({ everyMs: 1_000 })
  sendHeartbeats(): void {
    this.heartbeat.tick();
  }

  private listen(): Promise<Consumption> {
    this.listening ??= this.bus.subscribe([...CHANNEL_OF_TYPE.keys()], (payload) => this.note(payload));
    this.listening.catch(() => (this.listening = null));
    return this.listening;
  }

  private async stopListening(): Promise<void> {
    const { listening } = this;
    this.listening = null;
    const consumption = await listening?.catch(() => null);
    await consumption?.stop().catch((error: unknown) => {
      this.log.warn({ err: error }, 'failed to stop listening to changes of messages');
    });
  }

  private note(payload: unknown): void {
    const event = (payload ?? {}) as { type?: string; organizationId?: string; data?: { messageId?: unknown } };
    const watch = this.watches.get(event.organizationId ?? '');
    const channel = CHANNEL_OF_TYPE.get(event.type ?? '');
    const id = event.data?.messageId;
    if (!watch || !channel || !isId(id)) return;
    const ids = watch.changed.get(channel) ?? new Set();
    watch.changed.set(channel, ids);
    if (ids.size < MAX_MESSAGES) ids.add(id);
    else if (!ids.has(id)) watch.isOverflown = true;
    this.timer ??= setTimeout(() => void this.publishAll(), COLLECT_MS);
  }

  private async publishAll(): Promise<void> {
    this.timer = null;
    const changed = [...this.watches].filter(([, watch]) => watch.changed.size > 0);
    await Promise.all(
      changed.map(async ([organizationId, watch]) => {
        const { changed: channels, isOverflown } = watch;
        watch.changed = new Map();
        watch.isOverflown = false;
        try {
          await this.publish(organizationId, watch, channels);
          if (isOverflown) for (const stream of watch.streams) write(stream, sseEvent('refresh', {}));
        } catch (error) {
          this.log.warn({ err: error }, 'failed to read changed messages');
          for (const stream of watch.streams) write(stream, sseEvent('refresh', {}));
        }
      }),
    );
  }

  private async publish(
    organizationId: string,
    { streams }: Watch,
    channels: ReadonlyMap<LogChannel, ReadonlySet<string>>,
  ): Promise<void> {
    for (const [channel, ids] of channels) {
      const messages = await this.messages.byIds(organizationId, channel, [...ids]);
      for (const message of messages.sort((one, other) => (one.id < other.id ? -1 : 1))) {
        const event = sseEvent('message', { message });
        for (const stream of streams) {
          if (stream.workspaceId === null || stream.workspaceId === message.workspace_id) write(stream, event);
        }
      }
    }
  }

  private endAll(): void {
    this.isStopping = true;
    for (const { streams } of this.watches.values()) for (const stream of streams) endStream(stream);
  }

  private get isFull(): boolean {
    return this.count >= this.config.ACCOUNT_MAX_STREAMS;
  }
}

function endStream(stream: MessageStream | undefined): void {
  if (!stream) return;
  stream.isEnding = true;
  stream.response.end();
}

/** A client that does not read gets no further messages, but the event `refresh` when it reads again. */
function write(stream: MessageStream, event: string): void {
  if (stream.response.writableEnded) return;
  if (stream.response.writableNeedDrain) stream.isBehind = true;
  else stream.response.write(event);
}

function beat(stream: MessageStream): void {
  const { response, openedAt, isBehind } = stream;
  if (Date.now() - openedAt > MAX_AGE_MS) return endStream(stream);
  if (response.writableNeedDrain) return void (isBehind && response.destroy());
  response.write(isBehind ? sseEvent('refresh', {}) : ':\n\n');
  stream.isBehind = false;
}
