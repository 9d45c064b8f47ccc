import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { ChatappAccounts } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { claimAnswer, fingerprint, keepAnswer, type StreamedCall } from '@heliograph/idempotency';
import { DataSource } from 'typeorm';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { CHATAPP_API_CONFIG } from '../chatapp-api.tokens';
import { GraphClient, unanswered } from '../upstream/graph-client';
import { detectType } from './detect-type';
import { safeFileName } from './file-name';
import { MediaLinks, type LinkProof } from './media-links';
import { MediaLookup, MediaUploaded } from './media.dto';
import { MediaRepository } from './media.repository';
import { CutOff, openUpload, type Upload } from './open-upload';

/** Format of media ids, which the provider assigns. */
const MEDIA_ID = /^[\w-]{1,128}$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/** A file that is being streamed to the client. */
export interface MediaContent {
  mimeType: string;
  fileName: string;
  sizeBytes: number | null;
  /** Null for a HEAD request. */
  body: Readable | null;
}

@Injectable()
export class MediaService {
  private readonly links: MediaLinks;
  private readonly stallMs: number;

  constructor(
    @Inject(CHATAPP_API_CONFIG) private readonly config: ChatappApiConfig,
    private readonly dataSource: DataSource,
    private readonly accounts: ChatappAccounts,
    private readonly media: MediaRepository,
    private readonly graph: GraphClient,
  ) {
    this.links = new MediaLinks(config.CHATAPP_ACCESS_TOKEN ?? '');
    this.stallMs = config.CHATAPP_TIMEOUT_MS;
  }

  /** Streams a file to the provider. Completes the fingerprint of the call. */
  async upload(
    { organizationId }: Tenant,
    request: IncomingMessage,
    call: StreamedCall | null,
  ): Promise<MediaUploaded | 'repeated'> {
    const { phoneNumberId, businessAccountId } = this.graph.requireConfigured();
    const upload = await this.open(request, call);
    try {
      const { head: bytes, isWhole, declaredType, fileName } = upload;
      const mimeType = await detectType({ bytes, isWhole, declaredType, fileName });
      const id = await this.graph.uploadMedia({ name: fileName, mimeType, content: upload.content() });
      const { whole } = upload;
      if (!whole) throw unanswered('the upload was answered before its end');
      const { id: accountId } = await this.accounts.operatorAccount(phoneNumberId, businessAccountId);
      return await this.dataSource.transaction(async (transaction) => {
        const claimed = call && { ...call, fingerprint: fingerprintOf(upload) };
        if (claimed && !(await claimAnswer(transaction, claimed))) return 'repeated';
        const { sha256, sizeBytes } = whole;
        await this.media.store(transaction, {
          id,
          accountId,
          organizationId,
          size: String(sizeBytes),
          mimeType,
          fileName,
          sha256,
        });
        const answer = { id };
        if (claimed) await keepAnswer(transaction, claimed, answer);
        return answer;
      });
    } catch (error) {
      note(call, error);
      throw error;
    } finally {
      if (call && upload.whole) call.fingerprint = fingerprintOf(upload);
      upload.close();
    }
  }

  /** Reads an upload only to compute its fingerprint. */
  async readFingerprint(request: IncomingMessage, call: StreamedCall): Promise<void> {
    let upload: Upload | null = null;
    try {
      upload = await this.open(request, call);
      await upload.drain();
      call.fingerprint = fingerprintOf(upload);
    } catch (error) {
      note(call, error);
      // The first call may have failed with the same malformed body.
      if (call.fingerprint === null) throw error;
    } finally {
      upload?.close();
    }
  }

  private async open(request: IncomingMessage, call: StreamedCall | null): Promise<Upload> {
    try {
      return await openUpload(request, { stallMs: this.stallMs });
    } catch (error) {
      note(call, error);
      throw error;
    }
  }

  /** Throws NOT_FOUND for an unknown file and for another organization's file. */
  async lookUp({ organizationId }: Tenant, id: string): Promise<MediaLookup> {
    this.graph.requireConfigured();
    if (!MEDIA_ID.test(id) || !(await this.media.isOwn(organizationId, id))) throw notFound();
    const { mimeType, sha256, sizeBytes } = await this.graph.lookupMedia(id);
    return {
      url: this.urlOf(id, this.links.sign(id, organizationId, Date.now())),
      mime_type: mimeType,
      sha256,
      file_size: sizeBytes,
      id,
      messaging_product: this.config.CHATAPP_PRODUCT,
    };
  }

  /** Opens the file of a link. Throws FORBIDDEN for an invalid link. */
  async openContent(id: string, proof: LinkProof, headersOnly: boolean): Promise<MediaContent> {
    this.graph.requireConfigured();
    const owners = MEDIA_ID.test(id) ? await this.media.ownersAcrossTenants(id) : [];
    if (!this.links.holds(id, owners, proof, Date.now())) {
      throw new AppError(
        'FORBIDDEN',
        'This link has expired or is incomplete. Look the media up again to get a new link.',
      );
    }
    const { url, mimeType, sizeBytes } = await this.graph.lookupMedia(id);
    const fileName = safeFileName((await this.media.fileNameAcrossTenants(id)) ?? undefined);
    const content = { mimeType: MEDIA_TYPE.test(mimeType) ? mimeType : 'application/octet-stream', fileName };
    if (headersOnly) return { ...content, sizeBytes, body: null };
    const download = await this.graph.openMedia(url);
    return { ...content, sizeBytes: download.sizeBytes, body: download.body };
  }

  /** Throws CHATAPP_REQUEST_INVALID unless the organization may send this file. */
  async assertOwnMedia(organizationId: string, mediaId: string): Promise<void> {
    if (MEDIA_ID.test(mediaId) && (await this.media.isOwn(organizationId, mediaId))) return;
    throw new AppError(
      'CHATAPP_REQUEST_INVALID',
      'Unknown media id. Upload the file to /chatapp/media first and send the id from the response.',
    );
  }

  private urlOf(id: string, { expires, signature }: LinkProof): string {
    const { PUBLIC_BASE_URL, PORT } = this.config;
    const base = (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
    return `${base}/chatapp/media/${id}/content?${new URLSearchParams({ expires, signature }).toString()}`;
  }
}

function notFound(): AppError {
  return new AppError(
    'NOT_FOUND',
    'Unknown media id. Use the id from the upload response or from the inbound message.',
  );
}

function fingerprintOf({ whole, fileName }: Upload): string {
  return fingerprint({ sha256: whole?.sha256, fileName });
}

/** The fingerprint of a malformed body is its error, so that a repeat of the same body has the same fingerprint. */
function note(call: StreamedCall | null, error: unknown): void {
  if (!call || !(error instanceof AppError) || error instanceof CutOff) return;
  if (['MISSING_FILE', 'MEDIA_TOO_LARGE', 'INVALID_REQUEST'].includes(error.code)) {
    call.fingerprint = fingerprint({ refused: error.code });
  }
}
