import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AppError } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { NoAnswer } from './exchange';
import { GraphTransport, isSuccess, type GraphAccount } from './graph-transport';
import type { MediaDownload } from './media-download';
import { readMediaRecord, type MediaRecord } from './media-record';
import { multipartBody, type FilePart } from './multipart-body';
import type { Provider } from './provider';
import { readRefusal, toAppError, unreachable } from './refusal';
import { readSendAnswer, type SendAnswer } from './send-answer';
import { readCreated, readTemplatePage, type CreateAnswer, type TemplatePage } from './template-answers';

export { toAppError, unanswered, type UpstreamRefusal } from './refusal';
export type { SendAnswer } from './send-answer';

/** The largest response is a page of a hundred templates with many buttons. */
const MAX_PAGE_BYTES = 16_000_000;
const PAGE_SIZE = 100;
const TEMPLATE_FIELDS = 'id,name,language,status,category,components,message_send_ttl_seconds';
/** Factor of the timeout for uploads, because the provider checks a whole file before it responds. */
const UPLOAD_TIMEOUT_FACTOR = 3;
/** Error subcodes for a template that already exists and for an unknown template. */
const SUBCODE_EXISTS = 2388024;
const SUBCODE_UNKNOWN = 2593002;

/** The provider's Graph API. Results are values, or errors that can be returned to the caller. */
@Injectable()
export class GraphClient implements Provider {
  constructor(
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    private readonly transport: GraphTransport,
  ) {}

  /** Whether the token, the phone number id and the business account id are all configured. */
  get isConfigured(): boolean {
    return this.transport.isConfigured;
  }

  /** Throws CHATAPP_NOT_CONFIGURED. */
  requireConfigured(): GraphAccount {
    return this.transport.requireConfigured();
  }

  /** `message` contains `to`, `type` and the object of that type; every status returns `callbackData`. */
  async sendMessage(message: object, callbackData: string, traceparent?: string): Promise<SendAnswer> {
    const { phoneNumberId } = this.requireConfigured();
    const body = JSON.stringify({
      messaging_product: this.config.CHATAPP_PRODUCT,
      recipient_type: 'individual',
      ...message,
      biz_opaque_callback_data: callbackData,
    });
    try {
      const path = `/${phoneNumberId}/messages`;
      const answer = await this.transport.ask('send', { method: 'POST', path, body, traceparent });
      return readSendAnswer(answer, this.transport.token);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const { wasStarted, reason } = error;
      return wasStarted ? { kind: 'unanswered', reason } : { kind: 'refused', error: unreachable(reason) };
    }
  }

  /** Marks an inbound message as read. Throws NOT_FOUND if the message does not exist at the provider. */
  async markRead(upstreamMessageId: string): Promise<void> {
    const { phoneNumberId } = this.requireConfigured();
    const body = JSON.stringify({
      messaging_product: this.config.CHATAPP_PRODUCT,
      status: 'read',
      message_id: upstreamMessageId,
    });
    const answer = await this.transport.askOrThrow('mark-read', {
      method: 'POST',
      path: `/${phoneNumberId}/messages`,
      body,
    });
    // The message id is the only part of this call that can be invalid.
    this.transport.read(answer, [100, 131009], 'message', () => true);
  }

  /** Streams the file to the provider and returns the media id. Errors that occur while the file is read are rethrown unchanged. */
  async uploadMedia(file: FilePart): Promise<string> {
    const { phoneNumberId } = this.requireConfigured();
    const fields = { messaging_product: this.config.CHATAPP_PRODUCT, type: file.mimeType };
    const { contentType, bytes } = multipartBody(fields, file);
    const body = Readable.from(bytes, { objectMode: false });
    let failure: unknown;
    body.on('error', (error) => (failure ??= error));
    try {
      const answer = await this.transport.ask('upload', {
        method: 'POST',
        path: `/${phoneNumberId}/media`,
        headers: [...this.transport.authorization, 'content-type', contentType],
        body,
        // The speed of the caller's connection determines the duration.
        deadlineMs: null,
        headersTimeoutMs: this.config.CHATAPP_TIMEOUT_MS * UPLOAD_TIMEOUT_FACTOR,
      });
      return this.transport.read(answer, [], 'media', (json) => readMediaId(json));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // An unreferenced file has no effect, so the upload can be reported as failed.
      throw failure instanceof AppError ? failure : toAppError(unreachable(error.reason));
    } finally {
      body.destroy();
    }
  }

  /** Returns the provider's record of a file. Throws NOT_FOUND. */
  async lookupMedia(id: string): Promise<MediaRecord> {
    this.requireConfigured();
    const answer = await this.transport.askOrThrow('media-lookup', {
      method: 'GET',
      path: `/${encodeURIComponent(id)}`,
    });
    return this.transport.read(answer, [100, 131052], 'media', readMediaRecord);
  }

  /** Opens a `url` from `lookupMedia`. The caller reads or destroys the stream. Throws NOT_FOUND. */
  async openMedia(url: string): Promise<MediaDownload> {
    this.requireConfigured();
    try {
      const download = await this.transport.openDownload(url);
      if (download.kind === 'opened') return download;
      throw this.transport.refusalOf({ ...download, json: undefined }, [], 'media');
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw toAppError(unreachable(error.reason));
    }
  }

  /** Reads one page of the catalog, for one name or for all names. `after` is the cursor of the page; null reads the first page. */
  async listTemplates(after: string | null, name: string | null = null): Promise<TemplatePage> {
    const { businessAccountId } = this.requireConfigured();
    const query = new URLSearchParams({
      fields: TEMPLATE_FIELDS,
      limit: String(PAGE_SIZE),
      ...(name === null ? {} : { name }),
      ...(after === null ? {} : { after }),
    });
    const answer = await this.transport.askOrThrow('template-list', {
      method: 'GET',
      path: `/${businessAccountId}/message_templates?${query.toString()}`,
      maxAnswerBytes: MAX_PAGE_BYTES,
    });
    return this.transport.read(answer, [], 'template', readTemplatePage);
  }

  /** Creates a template in the provider's notation. */
  async createTemplate(template: object): Promise<CreateAnswer> {
    const { businessAccountId } = this.requireConfigured();
    const path = `/${businessAccountId}/message_templates`;
    try {
      const answer = await this.transport.ask('template-create', {
        method: 'POST',
        path,
        body: JSON.stringify(template),
      });
      if (isSuccess(answer))
        return readCreated(answer.json) ?? { kind: 'unanswered', reason: 'the response contains no template' };
      const error = readRefusal(answer, this.transport.token);
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
    const answer = await this.transport.askOrThrow('template-delete', {
      method: 'DELETE',
      path: `/${businessAccountId}/message_templates?${new URLSearchParams({ name }).toString()}`,
    });
    if (isSuccess(answer)) return 'deleted';
    const refusal = readRefusal(answer, this.transport.token);
    if (refusal.upstreamSubcode === SUBCODE_UNKNOWN) return 'unknown';
    throw toAppError(refusal);
  }
}

function readMediaId(json: unknown): string | null {
  const { id } = (json ?? {}) as { id?: unknown };
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : null;
}
