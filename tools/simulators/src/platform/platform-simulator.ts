import path from 'node:path';
import type { HookAnswer } from '../payments/payments-simulator';
import { DEFAULT_ACCOUNT, type PlatformAccount } from './account';
import { PlatformBehaviours, type PlatformBehaviourInput } from './behaviour';
import { GraphApi } from './graph-api';
import { GraphServer } from './graph-server';
import { Journal } from './journal/journal';
import type { JournalEntry } from './journal/remembered';
import { MediaStore } from './media/media-store';
import { Conversations } from './messages/conversations';
import { SentMessages, type SentMessage } from './messages/sent-messages';
import { RequestLog, type PlatformRequest } from './request-log';
import { TemplateCatalogue, type Template, type TemplateReview } from './templates/catalogue';
import { envelopeOf } from './webhooks/envelope';
import { postWebhook } from './webhooks/post-webhook';
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
/** As many as the platform puts into one webhook. */
export const MAX_UPDATES = 1_000;

export interface PlatformSimulatorOptions extends Partial<PlatformAccount> {
  /** 0 takes any free port. */
  port?: number;
  /** A loopback address. */
  host?: string;
  /** Where webhooks are posted to; a function where the receiver starts later. May be told later. */
  hookUrl?: string | (() => string);
  /** False keeps no requests, for benches. */
  keepRequests?: boolean;
  /** The time by which windows, media and links end. */
  now?: () => Date;
  /** Where templates, media, and who wrote and was written to outlive a restart, for one simulator at a time. */
  dataDir?: string;
}

export interface PlatformTotals {
  /** Messages that were taken, those among them whose answer was lost too. */
  accepted: number;
  /** Different pairs of recipient and callback data among them. */
  distinct: number;
}

export interface WebhookAnswer extends HookAnswer {
  messageId: string;
}

export type UpdateInput = InboundInput | StatusInput;

/** Nobody has said where webhooks go. */
export class NoHookError extends Error {}

/**
 * The chat-app platform on loopback: takes Graph API calls, keeps them, refuses what the real one refuses, posts signed
 * webhooks when told to, and misbehaves when told to.
 */
export class PlatformSimulator {
  readonly account: PlatformAccount;
  readonly behaviours = new PlatformBehaviours();
  hookUrl: string | (() => string) | null;
  /** Null where nothing is remembered. */
  private readonly journal: Journal | null;
  private readonly sent: SentMessages;
  private readonly conversations: Conversations;
  private readonly catalogue: TemplateCatalogue;
  private readonly media: MediaStore;
  private readonly log: RequestLog | null;
  private readonly server: GraphServer;
  private readonly now: () => Date;

  constructor(private readonly options: PlatformSimulatorOptions = {}) {
    const { hookUrl = null, keepRequests = true, now = () => new Date(), dataDir, ...rest } = options;
    const { port: _, host: __, ...account } = rest;
    this.account = { ...DEFAULT_ACCOUNT, ...account };
    this.hookUrl = hookUrl;
    this.now = now;
    this.journal = dataDir === undefined ? null : new Journal(dataDir, () => this.remembered());
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

  /** Where it is reached, before the version: `http://127.0.0.1:port`. */
  get url(): string {
    return this.server.origin;
  }

  get totals(): PlatformTotals {
    return this.sent.totals;
  }

  async start(): Promise<void> {
    if (this.journal) await this.remember(this.journal);
    await this.server.listen(this.options.port ?? 0, this.options.host ?? '127.0.0.1');
  }

  /** Deletes what was uploaded, too, unless it has a `dataDir`. */
  async stop(): Promise<void> {
    await this.server.stop();
    await this.media.stop();
    this.journal?.end();
  }

  /** Cuts every connection. */
  disconnect(): void {
    this.server.disconnect();
  }

  /** Every call that arrived, newest last; those to one recipient, compared by its digits, or all. */
  requests(to?: string): PlatformRequest[] {
    return this.log?.list(to) ?? [];
  }

  forgetRequests(): void {
    this.log?.clear();
  }

  /** The messages that were taken, newest last; `to` is compared by its digits. */
  messages(to?: string): SentMessage[] {
    return this.sent.list(to);
  }

  templates(): readonly Template[] {
    return this.catalogue.list();
  }

  /** Changes how calls are treated: messages to one recipient, or every other call. */
  behave(behaviour: PlatformBehaviourInput, to?: string): void {
    this.behaviours.set(behaviour, to);
  }

  /** Sets the state of a template; makes it where there is none. */
  reviewTemplate(name: string, review: TemplateReview): void {
    this.catalogue.review(name, review);
  }

  /** Somebody writes: opens the window as of the message's time, and posts nothing. */
  receive(input: InboundInput): InboundMessage {
    const message = inboundMessage(input, this.now());
    this.conversations.receive(message.from, message.id, message.atMs);
    return message;
  }

  /** Somebody writes, and the receiver of webhooks is told. Rejects when it does not answer. */
  async postInbound(input: InboundInput): Promise<WebhookAnswer> {
    const message = this.receive(input);
    return { ...(await this.post([message])), messageId: message.id };
  }

  /** The receiver is told of a message's status. Rejects when it does not answer. */
  async postStatus(input: StatusInput): Promise<WebhookAnswer> {
    return { ...(await this.post([this.status(input)])), messageId: input.id };
  }

  /** Messages and statuses in one webhook. */
  async postUpdates(inputs: readonly UpdateInput[]): Promise<HookAnswer & { messageIds: string[] }> {
    const updates = inputs.map((input) => ('from' in input ? this.receive(input) : this.status(input)));
    return { ...(await this.post(updates)), messageIds: updates.map(({ id }) => id) };
  }

  /** Signs and posts these bytes, whatever they are. */
  async postRaw(rawBody: Buffer): Promise<HookAnswer> {
    const { hookUrl } = this;
    if (hookUrl === null) throw new NoHookError('the simulator was not told where webhooks go');
    const url = typeof hookUrl === 'function' ? hookUrl() : hookUrl;
    return postWebhook(url, rawBody, this.account.appSecret);
  }

  private async remember(journal: Journal): Promise<void> {
    const { templates, inbound, media, sent } = await journal.read();
    this.catalogue.restore(templates);
    this.conversations.restore(inbound, this.now().getTime());
    this.sent.restore(sent);
    await this.media.restore(media);
    journal.begin();
  }

  private *remembered(): Generator<JournalEntry> {
    for (const template of this.catalogue.list()) yield { template };
    for (const inbound of this.conversations.remembered(this.now().getTime())) yield { inbound };
    for (const media of this.media.remembered()) yield { media };
    for (const sent of this.sent.remembered()) yield { sent };
  }

  private status(input: StatusInput): MessageStatus {
    return messageStatus(input, this.sent.find(input.id), this.now());
  }

  private post(updates: readonly Update[]): Promise<HookAnswer> {
    return this.postRaw(Buffer.from(JSON.stringify(envelopeOf(this.account, updates))));
  }

  /** A receiver that is away must not hold up the send. */
  private async postEarly(id: string, statuses: readonly string[]): Promise<void> {
    for (const status of statuses) await this.postStatus({ id, status }).catch(() => undefined);
  }
}
