import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadWidgetAssets, type PageData, type WidgetAssets } from '@heliograph/bot-widget';
import { pagePolicy } from '../../src/pages/page-policy';
import { NOTICE_STYLE_HASH, renderChatPage, renderUnavailablePage } from '../../src/pages/render-page';
import { builtWidgetDirectory } from './built-widget';
import { refuse, send } from './send-json.fixture';

export interface StandInMessage {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: Record<string, unknown>;
  createdAt: string;
  quickReplies?: { id: string; label: string; type: string; action: { type: string; id: string } }[];
  form?: object | null;
}

interface Conversation {
  id: string;
  token: string;
  status: string;
  paused: boolean;
  feedback: object | null;
  messages: StandInMessage[];
  answers: Map<string, object>;
  streams: Set<ServerResponse>;
}

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/**
 * How a call fails: not at all, with an error instead of its execution, with an error after its execution, or without
 * a response.
 */
export type Fault = undefined | { status: number; code?: string; retryAfter?: number; afterCommit?: boolean } | 'hang';

type Reply = Partial<StandInMessage> | null;

/**
 * A simulated runtime with configurable failures behind the real pages. It tests failures that a healthy service
 * cannot produce; all other tests use the real runtime.
 */
export class StandInRuntime {
  readonly calls: Call[] = [];
  readonly conversations = new Map<string, Conversation>();
  data: PageData;
  reply: (text: string, body: Record<string, unknown>) => Reply = (text) => ({ content: `You said: ${text}` });
  fault: (call: Call) => Fault = () => undefined;
  /** Event streams are buffered and never delivered, as by some proxies. */
  areStreamsBuffered = false;
  /** Parts of a streamed reply; the call continues when the promise is fulfilled. */
  deltas: { parts: string[]; until: Promise<void> } | null = null;
  private gate: Promise<void> = Promise.resolve();
  private clock = Date.now() - 3_600_000;

  private constructor(
    private readonly server: Server,
    private readonly assets: WidgetAssets,
    data: PageData,
  ) {
    this.data = data;
  }

  static async start(data: PageData): Promise<StandInRuntime> {
    const assets = await loadWidgetAssets(await builtWidgetDirectory());
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const runtime = new StandInRuntime(server, assets, data);
    server.on('request', (request, response) => void runtime.answer(request, response));
    return runtime;
  }

  /** Returns the origin. Each address in 127.0.0.0/8 is a separate site. */
  url(host = '127.0.0.1'): string {
    return `http://${host}:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Resets everything except the page data. */
  reset(): void {
    this.calls.length = 0;
    this.conversations.clear();
    this.reply = (text) => ({ content: `You said: ${text}` });
    this.fault = () => undefined;
    this.areStreamsBuffered = false;
    this.deltas = null;
    this.gate = Promise.resolve();
  }

  /** Delays the responses to messages until the returned function is called. */
  hold(): () => void {
    let release = () => undefined as void;
    this.gate = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Adds an existing conversation with its messages. */
  seed(messages: Partial<StandInMessage>[] = [], more: Partial<Conversation> = {}): Conversation {
    const conversation: Conversation = {
      id: randomUUID(),
      token: `bcs_${randomUUID()}`,
      status: 'open',
      paused: false,
      feedback: null,
      messages: [],
      answers: new Map(),
      streams: new Set(),
      ...more,
    };
    this.conversations.set(conversation.id, conversation);
    for (const message of messages) conversation.messages.push(this.message(message));
    return conversation;
  }

  only(): Conversation {
    const [conversation, ...others] = this.conversations.values();
    if (!conversation || others.length > 0) throw new Error(`there are ${this.conversations.size} conversations`);
    return conversation;
  }

  /** Adds a message and sends it to the streams. */
  say(conversation: Conversation, message: Partial<StandInMessage>): StandInMessage {
    const said = this.message(message);
    conversation.messages.push(said);
    this.publish(conversation, 'message', { message: said }, said.id);
    return said;
  }

  change(conversation: Conversation, change: Partial<Pick<Conversation, 'status' | 'paused'>>): void {
    Object.assign(conversation, change);
    this.publish(conversation, 'conversation', { conversation: recordOf(conversation), paused: conversation.paused });
  }

  dropStreams(): void {
    for (const { streams } of this.conversations.values()) for (const stream of streams) stream.destroy();
  }

  private message(message: Partial<StandInMessage>): StandInMessage {
    this.clock = Math.max(this.clock + 1, message.createdAt ? Date.parse(message.createdAt) : 0);
    return {
      id: randomUUID(),
      role: 'assistant',
      content: '',
      contentType: 'text',
      metadata: {},
      createdAt: new Date(
        message.createdAt ? this.clock : (this.clock = Math.max(this.clock, Date.now())),
      ).toISOString(),
      ...message,
    };
  }

  private publish(conversation: Conversation, event: string, data: object, id?: string): void {
    if (this.areStreamsBuffered) return;
    const text = `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
    for (const stream of conversation.streams) stream.write(text);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    if (!pathname.startsWith('/api/')) return this.sendPage(pathname, response);
    const call: Call = { method: request.method ?? '', path: pathname, body, headers: request.headers };
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault === 'hang') return;
    if (fault && !fault.afterCommit) return refuse(response, fault.status, fault.code, fault.retryAfter);
    await this.carryOut(call, searchParams, response, fault);
  }

  private async carryOut(call: Call, query: URLSearchParams, response: ServerResponse, fault: Fault): Promise<void> {
    const [, id, verb, formId] = /conversations(?:\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?)?/.exec(call.path) ?? [];
    if (id === undefined) {
      const { id: started, token, status } = this.seed();
      const { shortcuts = [] } = this.data;
      const greeting = this.data.config?.welcome ?? '';
      const conversation = { id: started, status, channel: call.body['channel'] };
      send(response, 201, { conversation, conversationToken: token, bot: {}, greeting, shortcuts, forms: [] });
      return;
    }
    const conversation = this.conversations.get(id);
    if (!conversation || call.headers.authorization !== `Bearer ${conversation.token}`) {
      return refuse(response, 401, 'UNAUTHENTICATED');
    }
    if (call.method === 'GET' && verb === undefined) {
      return send(response, 200, { conversation: recordOf(conversation), paused: conversation.paused });
    }
    if (call.method === 'GET' && verb === 'messages') return send(response, 200, page(conversation, query));
    if (verb === 'events') return this.openStream(conversation, query.get('after'), response);
    if (verb === 'end' || verb === 'reopen') {
      this.change(conversation, { status: verb === 'end' ? 'ended' : 'open' });
      return send(response, 200, { conversation: recordOf(conversation) });
    }
    if (verb === 'feedback') {
      conversation.feedback = { message: null, ...call.body, createdAt: new Date().toISOString() };
      return send(response, 200, { feedback: conversation.feedback });
    }
    if (conversation.status !== 'open') return refuse(response, 409, 'CONVERSATION_CLOSED');
    await this.takeMessage(conversation, call, formId, response, fault);
  }

  private async takeMessage(
    conversation: Conversation,
    { body, headers }: Call,
    formId: string | undefined,
    response: ServerResponse,
    fault: Fault,
  ): Promise<void> {
    const key = String(headers['idempotency-key']);
    const known = conversation.answers.get(key);
    if (known) return send(response, 201, known);
    const userMessage = this.say(conversation, {
      role: 'user',
      content: formId === undefined ? String(body['message']) : `Form: ${formId}`,
      contentType: formId === undefined ? 'text' : 'form',
      metadata: formId === undefined ? {} : { formId },
    });
    const isStreamed = this.deltas !== null && (headers.accept ?? '').includes('text/event-stream');
    if (isStreamed) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const part of this.deltas?.parts ?? []) {
        response.write(`event: delta\ndata: ${JSON.stringify({ text: part })}\n\n`);
      }
      await this.deltas?.until;
    }
    await this.gate;
    const reply = conversation.paused ? null : this.reply(userMessage.content, body);
    const said = reply && this.say(conversation, { form: null, ...reply });
    const submission = { id: randomUUID(), formId, conversationId: conversation.id, status: 'received' };
    const answer = {
      ...(formId === undefined ? { paused: conversation.paused } : { submission }),
      userMessage,
      reply: said,
    };
    conversation.answers.set(key, answer);
    if (fault && fault !== 'hang') return refuse(response, fault.status, fault.code, fault.retryAfter);
    if (isStreamed) response.end(`event: done\ndata: ${JSON.stringify(answer)}\n\n`);
    else send(response, 201, answer);
  }

  private openStream(conversation: Conversation, after: string | null, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    conversation.streams.add(response);
    response.once('close', () => conversation.streams.delete(response));
    if (this.areStreamsBuffered) return;
    response.write(': open\n\n');
    const from = conversation.messages.findIndex(({ id }) => id === after) + 1;
    for (const message of conversation.messages.slice(from)) {
      response.write(`event: message\nid: ${message.id}\ndata: ${JSON.stringify({ message })}\n\n`);
    }
  }

  private sendPage(path: string, response: ServerResponse): void {
    const asset = [this.assets.script, this.assets.style].find(({ name }) => path.endsWith(name));
    if (asset) {
      response.writeHead(200, { 'content-type': asset.contentType }).end(asset.codings.identity.body);
      return;
    }
    if (path === '/host') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(HOST_PAGE);
      return;
    }
    const mode = path.startsWith('/c/') ? 'hosted' : 'frame';
    const data: PageData = { ...this.data, mode };
    const isThere = data.config !== null;
    const page = { data, locale: data.config?.locale ?? 'en' };
    const html = isThere ? renderChatPage(page, this.assets) : renderUnavailablePage(page, this.assets);
    const policy = pagePolicy({ allowedDomains: null, ...(isThere ? {} : { inlineStyleHash: NOTICE_STYLE_HASH }) });
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html', 'content-security-policy': policy });
    response.end(html);
  }
}

const HOST_PAGE =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title><body></body>';

const recordOf = ({ id, status, feedback }: Conversation): object => ({ id, status, channel: 'web', feedback });

function page({ messages }: Conversation, query: URLSearchParams): object {
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 50);
  const shown = messages.slice(from, to).map(({ form, ...message }) => (form ? { ...message, form } : message));
  return { messages: shown, ...(to < messages.length ? { nextCursor: String(to) } : {}) };
}
