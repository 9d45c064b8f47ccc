import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { ChatappAccounts } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { CONFIG, CutOff, isMultipart, openUpload, type FileUpload, type UploadRules } from '@heliograph/service-kit';
import {
  AlreadyClaimedError,
  respondOnce,
  fingerprint,
  IdempotencyService,
  type StreamedClaim,
} from '@heliograph/idempotency';
import { OrganizationQuota, type LimitedKind, WorkspaceDirectory } from '@heliograph/tenancy';
import { SignedLinks, type LinkProof } from '@heliograph/secrets';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { unanswered } from '../upstream/graph-client';
import type { Provider } from '../upstream/provider';
import { Providers } from '../upstream/providers';
import { detectType, HEAD_BYTES } from './detect-type';
import { safeFileName } from './file-name';
import { MediaLookup, MediaUploaded } from './media.dto';
import { MediaRepository } from './media.repository';

const LINK_LIFE_SECONDS = 300;
const MAX_FILE_BYTES = 90 * 1_024 * 1_024;
/** Format of media ids, which the provider assigns. */
const MEDIA_ID = /^[\w-]{1,128}$/;
/** The provider retains files for 30 days. */
const UPLOADS: LimitedKind = {
  setting: 'LIMITS_CHATAPP_MEDIA',
  rows: `SELECT FROM chatapp.media WHERE organization_id = $1 AND created_at > now() - interval '30 days'`,
};
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/** A file that is being streamed to the client. */
export interface MediaContent {
  mimeType: string;
  fileName: string;
  sizeBytes: number | null;
  /** Empty for a HEAD request. */
  body: Readable;
}

@Injectable()
export class MediaService {
  private readonly links: SignedLinks;
  private readonly rules: UploadRules;
  private readonly quota: OrganizationQuota;

  constructor(
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    private readonly dataSource: DataSource,
    private readonly accounts: ChatappAccounts,
    private readonly workspaces: WorkspaceDirectory,
    private readonly media: MediaRepository,
    private readonly providers: Providers,
    private readonly idempotency: IdempotencyService,
    pool: Pool,
  ) {
    this.quota = new OrganizationQuota(pool, UPLOADS, config.LIMITS_CHATAPP_MEDIA);
    this.links = new SignedLinks([config.CHATAPP_ACCESS_TOKEN ?? ''], 'chat-app media', LINK_LIFE_SECONDS);
    this.rules = { maxBytes: MAX_FILE_BYTES, stallMs: config.CHATAPP_TIMEOUT_MS, fields: [], tooLarge, missingFile };
  }

  /**
   * Streams a file to the provider. Sets the fingerprint of the claim. Throws LIMIT_REACHED, MISSING_FILE,
   * MEDIA_TOO_LARGE, INVALID_REQUEST, and the errors of the provider.
   */
  upload(caller: Tenant, request: IncomingMessage, claim: StreamedClaim | null): Promise<MediaUploaded> {
    return this.idempotency.run(claim, async () => {
      this.providers.of(caller.organizationId).requireConfigured();
      try {
        if (!claim?.isRepeat) await this.quota.reserve(caller.organizationId);
        if (!isMultipart(request)) throw missingFile();
        const upload = await openUpload(request, this.rules);
        try {
          const head = await upload.readHead(HEAD_BYTES);
          if (head.length === 0) throw missingFile();
          if (!claim?.isRepeat) return await this.passOn(caller, upload, head, claim);
          await upload.drain();
        } finally {
          if (claim && upload.whole) claim.fingerprint = fingerprintOf(upload);
          upload.close();
        }
      } catch (error) {
        if (claim) claim.fingerprint ??= fingerprintOfRefusal(error);
        // If the first call had the same malformed body, its stored error is the response to this call.
        if (!claim?.isRepeat || claim.fingerprint === null) throw error;
      }
      throw new AlreadyClaimedError();
    });
  }

  private async passOn(
    caller: Tenant,
    upload: FileUpload,
    head: Buffer,
    claim: StreamedClaim | null,
  ): Promise<MediaUploaded> {
    const provider = this.providers.of(caller.organizationId);
    const { phoneNumberId, businessAccountId } = provider.requireConfigured();
    const fileName = safeFileName(upload.fileName);
    const isWhole = head.length < HEAD_BYTES;
    const mimeType = await detectType({ bytes: head, isWhole, declaredType: upload.declaredType, fileName });
    const id = await provider.uploadMedia({ name: fileName, mimeType, content: upload.content() });
    const { whole } = upload;
    if (!whole) throw unanswered('the provider responded before the upload was complete');
    const { sha256, sizeBytes } = whole;
    const { id: accountId } = await this.accounts.operatorAccount(phoneNumberId, businessAccountId);
    const { organizationId } = caller;
    const workspaceId = (await this.workspaces.find(caller))?.id ?? null;
    const media = { id, accountId, organizationId, workspaceId, sizeBytes, mimeType, fileName, sha256 };
    return this.dataSource.transaction((transaction) =>
      respondOnce(transaction, claim && { ...claim, fingerprint: fingerprintOf(upload) }, async () => {
        await this.media.store(transaction, media);
        return { id };
      }),
    );
  }

  /** Throws NOT_FOUND for an unknown file and for a file of another organization or workspace. */
  async lookUp(caller: Tenant, id: string): Promise<MediaLookup> {
    const provider = this.providers.of(caller.organizationId);
    provider.requireConfigured();
    if (!(await this.areOwn(caller, [id]))) throw notFound();
    const { mimeType, sha256, sizeBytes } = await provider.lookupMedia(id);
    return {
      url: this.urlOf(id, this.links.sign(id, caller.organizationId, Date.now())),
      mime_type: mimeType,
      sha256,
      file_size: sizeBytes,
      id,
      messaging_product: this.config.CHATAPP_PRODUCT,
    };
  }

  /** Opens the file of a link. Throws FORBIDDEN for an invalid link. */
  async openContent(id: string, proof: LinkProof, headersOnly: boolean): Promise<MediaContent> {
    const owners = MEDIA_ID.test(id) ? await this.media.ownersAcrossTenants(id) : [];
    const provider = this.providerOf(owners);
    provider.requireConfigured();
    if (!this.links.holds(id, owners, proof, Date.now())) {
      throw new AppError(
        'FORBIDDEN',
        'This link has expired or is incomplete. GET /chatapp/media/{id} returns a new link.',
      );
    }
    const { url, mimeType, sizeBytes } = await provider.lookupMedia(id);
    const fileName = safeFileName((await this.media.fileNameAcrossTenants(id)) ?? undefined);
    const content = { mimeType: MEDIA_TYPE.test(mimeType) ? mimeType : 'application/octet-stream', fileName };
    if (headersOnly) return { ...content, sizeBytes, body: Readable.from([]) };
    const download = await provider.openMedia(url);
    return { ...content, sizeBytes: download.sizeBytes, body: download.body };
  }

  /** Throws CHATAPP_REQUEST_INVALID unless the caller may send these files. */
  async assertOwnMedia(caller: Tenant, ids: readonly string[]): Promise<void> {
    if (await this.areOwn(caller, ids)) return;
    throw new AppError(
      'CHATAPP_REQUEST_INVALID',
      'Unknown media id. Upload the file to /chatapp/media first and send the id from the response.',
    );
  }

  /** A file of test mode belongs to one organization, because the id of its upload is unique. */
  private providerOf([owner]: readonly string[]): Provider {
    return owner === undefined ? this.providers.live : this.providers.of(owner);
  }

  private async areOwn(caller: Tenant, ids: readonly string[]): Promise<boolean> {
    if (ids.length === 0) return true;
    if (!ids.every((id) => MEDIA_ID.test(id))) return false;
    const own = await this.media.ownOf(caller, ids);
    return ids.every((id) => own.has(id));
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

function missingFile(): AppError {
  return new AppError(
    'MISSING_FILE',
    'Send multipart/form-data with a part named file that has a file name and is not empty.',
  );
}

function tooLarge(): AppError {
  return new AppError(
    'MEDIA_TOO_LARGE',
    `A file may have at most ${MAX_FILE_BYTES} bytes (90 MB). Send a smaller file.`,
  );
}

function fingerprintOf({ whole, fileName }: FileUpload): string {
  return fingerprint({ sha256: whole?.sha256, fileName: safeFileName(fileName) });
}

/** The fingerprint of a malformed body is its error, so that a repeat of the same body has the same fingerprint. */
function fingerprintOfRefusal(error: unknown): string | null {
  if (!(error instanceof AppError) || error instanceof CutOff) return null;
  const isMalformed = ['MISSING_FILE', 'MEDIA_TOO_LARGE', 'INVALID_REQUEST'].includes(error.code);
  return isMalformed ? fingerprint({ refused: error.code }) : null;
}
