import { botEntities, type Conversation } from '@heliograph/bot-conversations';
import { createDataSource, databaseConfigSchema, poolOf } from '@heliograph/database';
import {
  createTestDatabase,
  httpCall,
  perWorker,
  startTestService,
  type HttpResponse,
  type HttpCallOptions,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { botRuntime } from '../src/bot-runtime.service';
import { EventStream } from './event-stream';
import { makeBot, type BotDetails, type MadeBot } from './make-bot';
import { standInWidgetDirectory } from './stand-in-widget';

export interface BotFixtureOptions {
  environment?: Record<string, string>;
  /** Folder of the built widget; by default a folder with three empty files. */
  widgetDirectory?: string;
}

/** A conversation with the credentials of its visitor. */
export interface Chat {
  id: string;
  token: string;
  /** The response body of the start. */
  started: Record<string, unknown>;
}

export interface Message {
  id: string;
  role: string;
  content: string;
  contentType: string;
  metadata: Record<string, unknown>;
  createdAt: string;
  quickReplies?: { id: string; label: string; type: string; action: { type: string; id: string } }[];
  form?: { id: string; title: string; fields: Record<string, unknown>[] } | null;
}

/** The complete bot runtime on real servers. Bots are created through the entities. */
export class BotFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => BotFixture.start(),
    (fixture) => fixture.stop(),
  );

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly service: TestService,
    readonly environment: Record<string, string>,
  ) {}

  static async start({ environment, widgetDirectory }: BotFixtureOptions = {}): Promise<BotFixture> {
    const database = await createTestDatabase(botRuntime.migrations);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    const dataSource = await createDataSource(settings, 'bot fixture', botEntities).initialize();
    const all = {
      PUBLIC_BASE_URL: 'https://api.heliograph.example',
      BOT_WIDGET_DIR: widgetDirectory ?? (await standInWidgetDirectory()),
      // Tests share an address, and some share a conversation; separate tests cover the limits.
      BOT_STARTS_PER_5_MINUTES: '0',
      BOT_MESSAGES_PER_MINUTE: '0',
      BOT_MESSAGES_PER_MINUTE_PER_IP: '0',
      BOT_CHANGES_PER_MINUTE: '0',
      BOT_CHANGES_PER_MINUTE_PER_IP: '0',
      BOT_READS_PER_MINUTE: '0',
      BOT_READS_PER_MINUTE_PER_IP: '0',
      ...environment,
    };
    return new BotFixture(database, dataSource, await startTestService(botRuntime, database.url, all), all);
  }

  /** Starts a second instance with the same database and bus. Stop only its `service`. */
  async beside(environment: Record<string, string> = {}): Promise<BotFixture> {
    const all: Record<string, string> = {
      ...this.environment,
      AMQP_PREFIX: this.service.amqpPrefix,
      ...environment,
    };
    const service = await startTestService(botRuntime, all['DATABASE_URL'] ?? this.database.url, all);
    return new BotFixture(this.database, this.dataSource, service, all);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.dataSource.destroy();
    await this.database.drop();
  }

  /** `http://127.0.0.1:<port>` */
  get url(): string {
    return this.service.url;
  }

  /** Creates an available bot, in a new organization and workspace unless they are given. */
  bot(details: BotDetails = {}): Promise<MadeBot> {
    return makeBot(this.dataSource, details);
  }

  call<Body = Record<string, unknown>>(path: string, options: HttpCallOptions = {}): Promise<HttpResponse<Body>> {
    return httpCall(`${this.url}${path}`, options);
  }

  /** Sends a `POST` request; a body that is neither text nor bytes is sent as JSON. */
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse<Body>> {
    return this.call(path, { method: 'POST', headers, json: body });
  }

  /** Starts a conversation; throws unless the status is 201. */
  async chat(botId: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Chat> {
    const answer = await this.post('/api/v1/chat/conversations', { botId, ...more }, headers);
    if (answer.status !== 201) throw new Error(`the start returned ${answer.status} ${answer.text}`);
    const { conversation, conversationToken } = answer.body as {
      conversation: { id: string };
      conversationToken: string;
    };
    return { id: conversation.id, token: conversationToken, started: answer.body };
  }

  /** Sends a request for a conversation; `path` follows its id, for example `/messages`. */
  on(chat: Pick<Chat, 'id' | 'token'>, path: string, options: HttpCallOptions = {}): Promise<HttpResponse> {
    const headers = { Authorization: `Bearer ${chat.token}`, ...options.headers };
    return this.call(`/api/v1/chat/conversations/${chat.id}${path}`, { ...options, headers });
  }

  postOn(
    chat: Pick<Chat, 'id' | 'token'>,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    return this.on(chat, path, { method: 'POST', headers, json: body });
  }

  /** Sends a message; `more` contains further fields of the body. */
  say(
    chat: Pick<Chat, 'id' | 'token'>,
    message: unknown,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    return this.postOn(chat, '/messages', { message, ...more }, headers);
  }

  /** Returns the complete transcript. */
  async transcript(chat: Pick<Chat, 'id' | 'token'>): Promise<Message[]> {
    const messages: Message[] = [];
    for (let cursor = ''; ;) {
      const { status, text, body } = await this.on(chat, `/messages?limit=100${cursor}`);
      if (status !== 200) throw new Error(`the transcript returned ${status} ${text}`);
      messages.push(...(body['messages'] as Message[]));
      if (typeof body['nextCursor'] !== 'string') return messages;
      cursor = `&cursor=${encodeURIComponent(body['nextCursor'])}`;
    }
  }

  /** Opens the event stream of a conversation. */
  events(chat: Pick<Chat, 'id' | 'token'>, query = '', headers: Record<string, string> = {}): Promise<EventStream> {
    return EventStream.open(`${this.url}/api/v1/chat/conversations/${chat.id}/events${query}`, {
      Authorization: `Bearer ${chat.token}`,
      ...headers,
    });
  }

  /** Queries the tables of the service. */
  async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await poolOf(this.dataSource).query<T>(sql, values)).rows;
  }

  /** Returns a stored conversation. */
  stored(id: string): Promise<Conversation> {
    return this.dataSource.getRepository<Conversation>('Conversation').findOneByOrFail({ id });
  }
}
