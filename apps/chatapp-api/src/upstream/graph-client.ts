import { BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AppError } from '@heliograph/errors';
import { Health, LOGGER, METRICS, type Logger } from '@heliograph/platform';
import type { Registry } from 'prom-client';
import { Agent, Pool } from 'undici';
import type { ChatappApiSettings } from '../chatapp-api.config';
import { CHATAPP_API_SETTINGS } from '../chatapp-api.tokens';
import { exchange, NoAnswer, type Exchanged, type ExchangeRequest } from './exchange';
import { openDownload, type MediaDownload } from './media-download';
import { readMediaRecord, type MediaRecord } from './media-record';
import { multipartBody, type FilePart } from './multipart-body';
import { errorOf, readRefusal, toAppError, unanswered, unreachable } from './refusal';
import { readSendAnswer, type SendAnswer } from './send-answer';
import { readCreated, readTemplatePage, type CreateAnswer, type TemplatePage } from './template-answers';
import { UpstreamCalls, type CallName } from './upstream-calls';

export { toAppError, unanswered, type UpstreamRefusal } from './refusal';
export type { SendAnswer } from './send-answer';

const MAX_ANSWER_BYTES = 1_000_000;
/** A hundred templates of many buttons and languages are larger than any other answer. */
const MAX_PAGE_BYTES = 16_000_000;
const PAGE_SIZE = 100;
const TEMPLATE_FIELDS = 'id,name,language,status,category,components';
/** The upstream looks through a whole file before it answers. */
const UPLOAD_PATIENCE = 3;
/** Uploads and downloads at a time, of one process. */
const MEDIA_CONNECTIONS = 64;
/** Said by the upstream of a template that is there already, and of one that is not there. */
const SUBCODE_EXISTS = 2388024;
const SUBCODE_UNKNOWN = 2593002;

/** Whose name we call in. */
interface Account {
  phoneNumberId: string;
  businessAccountId: string;
}

/** What differs between calls. */
type Call = Pick<ExchangeRequest, 'method'> & { path: string } & Partial<ExchangeRequest>;

/** The upstream platform's Graph API. Whatever it answers comes back as a value or as an error for the caller. */
@Injectable()
export class GraphClient implements BeforeApplicationShutdown {
  private readonly pool: Pool;
  /** Apart from the sends: callers with slow lines hold no connection that a send could have. */
  private readonly uploads: Pool;
  /** Media lie on hosts of their own. */
  private readonly downloads: Agent;
  private readonly calls: UpstreamCalls;
  private readonly basePath: string;
  private readonly token: string;
  private readonly authorization: [string, string];
  private readonly jsonHeaders: string[];
  private readonly account: Account | null;

  constructor(
    @Inject(CHATAPP_API_SETTINGS) private readonly settings: ChatappApiSettings,
    @Inject(METRICS) registry: Registry,
    @Inject(LOGGER) log: Logger,
    @Inject(Health) health: Health,
  ) {
    const { CHATAPP_GRAPH_URL, CHATAPP_GRAPH_VERSION, CHATAPP_CONNECTIONS, CHATAPP_TIMEOUT_MS } = settings;
    const { CHATAPP_ACCESS_TOKEN, CHATAPP_PHONE_NUMBER_ID, CHATAPP_BUSINESS_ACCOUNT_ID } = settings;
    const { origin, pathname } = new URL(CHATAPP_GRAPH_URL);
    const options = {
      connections: CHATAPP_CONNECTIONS,
      pipelining: 1,
      headersTimeout: CHATAPP_TIMEOUT_MS,
      bodyTimeout: CHATAPP_TIMEOUT_MS,
      // Half of it, so that a second try has its time.
      connect: { timeout: Math.ceil(CHATAPP_TIMEOUT_MS / 2) },
    };
    this.pool = new Pool(origin, options);
    this.uploads = new Pool(origin, { ...options, connections: MEDIA_CONNECTIONS });
    this.downloads = new Agent({ ...options, connections: MEDIA_CONNECTIONS });
    this.calls = new UpstreamCalls(registry, log);
    this.basePath = `${pathname.replace(/\/+$/, '')}/${CHATAPP_GRAPH_VERSION}`;
    this.token = CHATAPP_ACCESS_TOKEN ?? '';
    this.authorization = ['authorization', `Bearer ${this.token}`];
    this.jsonHeaders = [...this.authorization, 'content-type', 'application/json'];
    this.account =
      CHATAPP_ACCESS_TOKEN && CHATAPP_PHONE_NUMBER_ID && CHATAPP_BUSINESS_ACCOUNT_ID
        ? { phoneNumberId: CHATAPP_PHONE_NUMBER_ID, businessAccountId: CHATAPP_BUSINESS_ACCOUNT_ID }
        : null;
    // Much works without it, and what does not says so.
    health.register('chat-app upstream', false, () => {
      if (this.calls.isDown) throw new Error('no answer');
    });
  }

  /** Token, phone number id and business account id are all there. */
  get isConfigured(): boolean {
    return this.account !== null;
  }

  /** Throws CHATAPP_NOT_CONFIGURED, as every call does that needs the upstream. */
  requireConfigured(): Account {
    if (this.account) return this.account;
    throw new AppError(
      'CHATAPP_NOT_CONFIGURED',
      'This platform has no chat-app account yet. Ask its operator to set the access token and both ids.',
    );
  }

  /** `message` holds `to`, `type` and the object of that type; `callbackData` comes back with every status. */
  async sendMessage(message: object, callbackData: string): Promise<SendAnswer> {
    const { phoneNumberId } = this.requireConfigured();
    const body = JSON.stringify({
      messaging_product: this.settings.CHATAPP_PRODUCT,
      recipient_type: 'individual',
      ...message,
      biz_opaque_callback_data: callbackData,
    });
    try {
      const answer = await this.ask('send', { method: 'POST', path: `/${phoneNumberId}/messages`, body });
      return readSendAnswer(answer, this.token);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const { wasStarted, reason } = error;
      return wasStarted ? { kind: 'unanswered', reason } : { kind: 'refused', error: unreachable(reason) };
    }
  }

  /** Throws NOT_FOUND for a message that the upstream does not know. */
  async markRead(upstreamMessageId: string): Promise<void> {
    const { phoneNumberId } = this.requireConfigured();
    const body = JSON.stringify({
      messaging_product: this.settings.CHATAPP_PRODUCT,
      status: 'read',
      message_id: upstreamMessageId,
    });
    const answer = await this.askOrThrow('mark-read', { method: 'POST', path: `/${phoneNumberId}/messages`, body });
    // The id is the only thing in this call that can be wrong.
    this.read(answer, [100, 131009], 'message', () => true);
  }

  /** Passes the file on as it comes; answers the media id. What the content throws comes out as it is. */
  async uploadMedia(file: FilePart): Promise<string> {
    const { phoneNumberId } = this.requireConfigured();
    const fields = { messaging_product: this.settings.CHATAPP_PRODUCT, type: file.mimeType };
    const { contentType, bytes } = multipartBody(fields, file);
    const body = Readable.from(bytes, { objectMode: false });
    let failure: unknown;
    body.on('error', (error) => (failure ??= error));
    try {
      const answer = await this.ask('upload', {
        method: 'POST',
        path: `/${phoneNumberId}/media`,
        headers: [...this.authorization, 'content-type', contentType],
        body,
        // The caller's line decides how long it takes.
        deadlineMs: null,
        headersTimeoutMs: this.settings.CHATAPP_TIMEOUT_MS * UPLOAD_PATIENCE,
      });
      return this.read(answer, [], 'media', (json) => readMediaId(json));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // A file that nobody refers to does nothing: to the caller it was not uploaded.
      throw failure instanceof AppError ? failure : toAppError(unreachable(error.reason));
    } finally {
      body.destroy();
    }
  }

  /** Throws NOT_FOUND. */
  async lookupMedia(id: string): Promise<MediaRecord> {
    this.requireConfigured();
    const answer = await this.askOrThrow('media-lookup', { method: 'GET', path: `/${encodeURIComponent(id)}` });
    return this.read(answer, [100, 131052], 'media', readMediaRecord);
  }

  /** `url` is one that `lookupMedia` answered. What is not read has to be destroyed. Throws NOT_FOUND. */
  async openMedia(url: string): Promise<MediaDownload> {
    this.requireConfigured();
    try {
      const download = await secondTry(true, () => this.openOnce(url));
      if (download.kind === 'opened') return download;
      throw this.refusalOf({ ...download, json: undefined }, [], 'media');
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw toAppError(unreachable(error.reason));
    }
  }

  private openOnce(url: string): ReturnType<typeof openDownload> {
    return this.observe('media-download', () =>
      openDownload(this.downloads, {
        url,
        headers: this.authorization,
        // The token does not travel in the clear unless everything does.
        protocols: this.settings.CHATAPP_GRAPH_URL.startsWith('http:') ? ['http:', 'https:'] : ['https:'],
      }),
    );
  }

  /** One page of the catalogue: from the beginning, or from where the page before says; of one name, or of all. */
  async listTemplates(after: string | null, name: string | null = null): Promise<TemplatePage> {
    const { businessAccountId } = this.requireConfigured();
    const query = new URLSearchParams({
      fields: TEMPLATE_FIELDS,
      limit: String(PAGE_SIZE),
      ...(name === null ? {} : { name }),
      ...(after === null ? {} : { after }),
    });
    const answer = await this.askOrThrow('template-list', {
      method: 'GET',
      path: `/${businessAccountId}/message_templates?${query.toString()}`,
      maxAnswerBytes: MAX_PAGE_BYTES,
    });
    return this.read(answer, [], 'template', readTemplatePage);
  }

  /** The template as the upstream spells it. */
  async createTemplate(template: object): Promise<CreateAnswer> {
    const { businessAccountId } = this.requireConfigured();
    const path = `/${businessAccountId}/message_templates`;
    try {
      const answer = await this.ask('template-create', { method: 'POST', path, body: JSON.stringify(template) });
      if (isSuccess(answer)) return readCreated(answer.json) ?? { kind: 'unanswered', reason: 'the answer names none' };
      const error = readRefusal(answer, this.token);
      return { kind: error.upstreamSubcode === SUBCODE_EXISTS ? 'exists' : 'refused', error };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const { wasStarted, reason } = error;
      return wasStarted ? { kind: 'unanswered', reason } : { kind: 'refused', error: unreachable(reason) };
    }
  }

  /** Deletes all languages of that name. */
  async deleteTemplate(name: string): Promise<'deleted' | 'unknown'> {
    const { businessAccountId } = this.requireConfigured();
    const answer = await this.askOrThrow('template-delete', {
      method: 'DELETE',
      path: `/${businessAccountId}/message_templates?${new URLSearchParams({ name }).toString()}`,
    });
    if (isSuccess(answer)) return 'deleted';
    const refusal = readRefusal(answer, this.token);
    if (refusal.upstreamSubcode === SUBCODE_UNKNOWN) return 'unknown';
    throw toAppError(refusal);
  }

  /** Connections close when what is under way on them has ended, which the time-outs see to. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.close(), this.uploads.close(), this.downloads.close()]);
  }

  /** What a success holds. `unknownCodes` are the errors that mean that there is no such thing. */
  private read<T>(
    answer: Exchanged,
    unknownCodes: readonly number[],
    what: string,
    read: (json: unknown) => T | null,
  ): T {
    if (isSuccess(answer)) {
      const value = read(answer.json);
      if (value !== null) return value;
      throw unanswered('the answer cannot be read');
    }
    throw this.refusalOf(answer, unknownCodes, what);
  }

  private refusalOf(answer: Exchanged, unknownCodes: readonly number[], what: string): AppError {
    const refusal = readRefusal(answer, this.token);
    const { upstreamCode } = refusal;
    const isUnknown = upstreamCode === null ? [404, 410].includes(answer.status) : unknownCodes.includes(upstreamCode);
    return isUnknown
      ? new AppError('NOT_FOUND', `The platform has no such ${what}, or not any more.`)
      : toAppError(refusal);
  }

  /** As `ask`, where no answer is an error like any other. */
  private async askOrThrow(name: CallName, call: Call): Promise<Exchanged> {
    try {
      return await this.ask(name, call);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw error.wasStarted && call.method !== 'GET'
        ? unanswered(error.reason)
        : toAppError(unreachable(error.reason));
    }
  }

  private ask(name: CallName, call: Call): Promise<Exchanged> {
    const askOnce = (): Promise<Exchanged> =>
      this.observe(name, () =>
        exchange(name === 'upload' ? this.uploads : this.pool, {
          headers: call.body === undefined ? this.authorization : this.jsonHeaders,
          body: null,
          deadlineMs: this.settings.CHATAPP_TIMEOUT_MS,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          ...call,
          path: this.basePath + call.path,
        }),
      );
    // A stream is gone once it has been given up.
    return call.body && typeof call.body !== 'string' ? askOnce() : secondTry(call.method === 'GET', askOnce);
  }

  private async observe<T extends { status: number }>(name: CallName, ask: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const answer = await ask();
      this.calls.answered(name, answer.status, startedAt);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) this.calls.unanswered(name, error, startedAt);
      throw error;
    }
  }
}

/** What has not left is sent a second time; so is what changes nothing, when the upstream has failed. */
async function secondTry<T extends { status: number }>(isRead: boolean, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask();
    if (!isRead || answer.status < 500) return answer;
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.isLate || (error.wasStarted && !isRead)) throw error;
  }
  return ask();
}

function isSuccess({ status, json }: Exchanged): boolean {
  return status >= 200 && status <= 299 && !errorOf(json);
}

function readMediaId(json: unknown): string | null {
  const { id } = (json ?? {}) as { id?: unknown };
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : null;
}
