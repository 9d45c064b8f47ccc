import { createHmac } from 'node:crypto';
import path from 'node:path';
import { postJson, type HookAnswer } from '../http-post';
import { DEFAULT_ACCOUNT, type ProviderAccount } from './account';
import { ProviderBehaviours, type ProviderBehaviourInput } from './behaviour';
import { GraphApi } from './graph-api';
import { GraphServer } from './graph-server';
import { Journal } from './journal/journal';
import type { JournalEntry } from './journal/journal-state';
import { MediaStore } from './media/media-store';
import { Conversations } from './messages/conversations';
import { SentMessages, type SentMessage } from './messages/sent-messages';
import { RequestLog, type ProviderRequest } from './request-log';
import { TemplateCatalogue, type Template, type TemplateReview } from './templates/catalogue';
import { envelopeOf } from './webhooks/envelope';
import {
  inboundMessage,
  messageStatus,
  type InboundInput,
  type InboundMessage,
  type MessageStatus,
  type StatusInput,
  type Update,
} from './webhooks/updates';

const REQUESTS_KEPT = { maxRequests: 50_000, maxBytes: 256 * 1024 * 1024 };
/** The maximum number of updates that the provider puts into one webhook. */
export const MAX_UPDATES = 1_000;

export interface ProviderSimulatorOptions extends Partial<ProviderAccount> {
  /** Port 0 selects a free port. */
  port?: number;
  /** A loopback address. */
  host?: string;
  /** The URL of webhooks; a function if the receiver starts later. May be set later. */
  hookUrl?: string | (() => string);
  /** False: no requests are retained, for benchmarks. */
  keepRequests?: boolean;
  /** The clock for windows, media and links. */
  now?: () => Date;
  /** The folder in which templates, media and messages survive a restart. One simulator at a time may use it. */
  dataDir?: string;
}

export interface ProviderTotals {
  /** Number of accepted messages, including those whose response was lost. */
  accepted: number;
  /** Number of distinct pairs of recipient and callback data. */
  distinct: number;
}

export interface WebhookAnswer extends HookAnswer {
  messageId: string;
}

export type UpdateInput = InboundInput | StatusInput;

/** The URL of webhooks is not set. */
export class NoHookError extends Error {}

/**
 * The chat-app provider on loopback. It serves the Graph API, rejects invalid calls as the real provider does, posts
 * signed webhooks on request and can be made to misbehave.
 */
export class ProviderSimulator {
  readonly account: ProviderAccount;
  readonly behaviours = new ProviderBehaviours();
  hookUrl: string | (() => string) | null;
  /** Null without persistence. */
  private readonly journal: Journal | null;
  private readonly sent: SentMessages;
  private readonly conversations: Conversations;
  private readonly catalogue: TemplateCatalogue;
  private readonly media: MediaStore;
  private readonly log: RequestLog | null;
  private readonly server: GraphServer;
  private readonly now: () => Date;

  constructor(private readonly options: ProviderSimulatorOptions = {}) {
    const { hookUrl = null, keepRequests = true, now = () => new Date(), dataDir, ...rest } = options;
    const { port: _, host: __, ...account } = rest;
    this.account = { ...DEFAULT_ACCOUNT, ...account };
    this.hookUrl = hookUrl;
    this.now = now;
    this.journal = dataDir === undefined ? null : new Journal(dataDir, () => this.snapshot());
    this.sent = new SentMessages(this.journal);
    this.conversations = new Conversations(this.journal);
    this.catalogue = new TemplateCatalogue(this.journal);
    this.media = new MediaStore({
      owner: this.account.phoneNumberId,
      folder: dataDir === undefined ? null : path.join(dataDir, 'media'),
      journal: this.journal,
      nowMs: () => now().getTime(),
    });
    this.log = keepRequests ? new RequestLog(REQUESTS_KEPT) : null;
    const state = {
      account: this.account,
      messages: this.sent,
      conversations: this.conversations,
      media: this.media,
      templates: this.catalogue,
      now,
    };
    this.server = new GraphServer({
      api: new GraphApi(state, () => this.url),
      media: this.media,
      behaviours: this.behaviours,
      log: this.log,
      product: this.account.product,
      now,
      postStatuses: (messageId, statuses) => this.postEarly(messageId, statuses),
    });
  }

  /** The base URL before the version: `http://127.0.0.1:port`. */
  get url(): string {
    return this.server.origin;
  }

  get totals(): ProviderTotals {
    return this.sent.totals;
  }

  async start(): Promise<void> {
    if (this.journal) await this.restore(this.journal);
    await this.server.listen(this.options.port ?? 0, this.options.host ?? '127.0.0.1');
  }

  /** Deletes the uploads too, unless there is a `dataDir`. */
  async stop(): Promise<void> {
    await this.server.stop();
    await this.media.stop();
    this.journal?.end();
  }

  /** Disconnects every client. */
  disconnect(): void {
    this.server.disconnect();
  }

  /** The calls to a recipient (compared by digits) or all calls, newest last. */
  requests(to?: string): ProviderRequest[] {
    return this.log?.list(to) ?? [];
  }

  forgetRequests(): void {
    this.log?.clear();
  }

  /** The accepted messages, newest last. `to` is compared by digits. */
  messages(to?: string): SentMessage[] {
    return this.sent.list(to);
  }

  templates(): readonly Template[] {
    return this.catalogue.list();
  }

  /** Sets the behaviour for messages to a recipient, or for all other calls. */
  behave(behaviour: ProviderBehaviourInput, to?: string): void {
    this.behaviours.set(behaviour, to);
  }

  /** Sets the state of a template; creates it if it does not exist. */
  reviewTemplate(name: string, review: TemplateReview): void {
    this.catalogue.review(name, review);
  }

  /** Receives a message: opens the window at the message's time, without a webhook. */
  receive(input: InboundInput): InboundMessage {
    const message = inboundMessage(input, this.now());
    this.conversations.receive(message.from, message.id, message.atMs);
    return message;
  }

  /** Receives a message and posts its webhook. Rejects if there is no answer. */
  async postInbound(input: InboundInput): Promise<WebhookAnswer> {
    const message = this.receive(input);
    return { ...(await this.post([message])), messageId: message.id };
  }

  /** Posts the webhook of a message's status. Rejects if there is no answer. */
  async postStatus(input: StatusInput): Promise<WebhookAnswer> {
    return { ...(await this.post([this.status(input)])), messageId: input.id };
  }

  /** Posts messages and statuses in one webhook. */
  async postUpdates(inputs: readonly UpdateInput[]): Promise<HookAnswer & { messageIds: string[] }> {
    const updates = inputs.map((input) => ('from' in input ? this.receive(input) : this.status(input)));
    return { ...(await this.post(updates)), messageIds: updates.map(({ id }) => id) };
  }

  /** Signs and posts arbitrary bytes. */
  async postRaw(rawBody: Buffer): Promise<HookAnswer> {
    const { hookUrl } = this;
    if (hookUrl === null) throw new NoHookError('the URL of webhooks is not set');
    const url = typeof hookUrl === 'function' ? hookUrl() : hookUrl;
    const { appSecret } = this.account;
    if (appSecret === '') return postJson(url, rawBody, {});
    const signature = createHmac('sha256', appSecret).update(rawBody).digest('hex');
    return postJson(url, rawBody, { 'X-Hub-Signature-256': `sha256=${signature}` });
  }

  private async restore(journal: Journal): Promise<void> {
    const { templates, inbound, media, sent } = await journal.read();
    this.catalogue.restore(templates);
    this.conversations.restore(inbound, this.now().getTime());
    this.sent.restore(sent);
    await this.media.restore(media);
    journal.begin();
  }

  private *snapshot(): Generator<JournalEntry> {
    for (const template of this.catalogue.list()) yield { template };
    for (const inbound of this.conversations.snapshot(this.now().getTime())) yield { inbound };
    for (const media of this.media.snapshot()) yield { media };
    for (const sent of this.sent.snapshot()) yield { sent };
  }

  private status(input: StatusInput): MessageStatus {
    return messageStatus(input, this.sent.find(input.id), this.now());
  }

  private post(updates: readonly Update[]): Promise<HookAnswer> {
    return this.postRaw(Buffer.from(JSON.stringify(envelopeOf(this.account, updates))));
  }

  /** Does not delay the send if the receiver is unavailable. */
  private async postEarly(id: string, statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.postStatus({ id, status }).catch(() => undefined);
  }
}
