import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { IdempotencyService, readIdempotencyKey, type Answer } from '@heliograph/idempotency';
import {
  LOGGER,
  parseQueryString,
  Public,
  queryStringOf,
  Refusals,
  type Logger,
  TakesIdempotencyKey,
} from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { GraphClient } from '../upstream/graph-client';
import { discardRest } from './discard-rest';
import { attachmentOf } from './file-name';
import type { LinkProof } from './media-links';
import { MediaLookup, MediaUploaded } from './media.dto';
import { MediaService } from './media.service';

/** A download is cut when the client reads nothing for this time. */
const READER_IDLE_MS = 60_000;
const UPSTREAM_REFUSALS = ['CHATAPP_NOT_CONFIGURED', 'CHATAPP_RATE_LIMITED', 'CHATAPP_UPSTREAM'] as const;

@ChatappApi('Media')
@Controller(['chatapp/media', 'api/chatapp/media'])
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly idempotency: IdempotencyService,
    private readonly graph: GraphClient,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'uploadChatappMedia', summary: 'Upload a file of at most 90 MB for use in messages' })
  @TakesIdempotencyKey()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    required: true,
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  })
  @ApiResponse({ status: 200, type: MediaUploaded })
  @Refusals(
    'MISSING_FILE',
    'MEDIA_TOO_LARGE',
    'INVALID_REQUEST',
    'CHATAPP_REQUEST_INVALID',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_REFUSALS,
  )
  async upload(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MediaUploaded> {
    try {
      this.graph.requireConfigured();
      const { body, replayed } = await this.take(caller, request);
      if (replayed) response.setHeader('Idempotent-Replayed', 'true');
      return body;
    } finally {
      discardRest(request);
    }
  }

  private async take(caller: Tenant, request: Request): Promise<Answer<MediaUploaded>> {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    if (key === undefined) {
      return { body: (await this.media.upload(caller, request, null)) as MediaUploaded, replayed: false };
    }
    const call = { callerId: caller.keyId, endpoint: 'chatapp.media', key, fingerprint: null };
    return this.idempotency.runStreamed<MediaUploaded>(
      call,
      () => this.media.upload(caller, request, call),
      () => this.media.readFingerprint(request, call),
    );
  }

  @Get(':id')
  @RequireScope('chatapp:read')
  @ApiOperation({ operationId: 'getChatappMedia', summary: 'Get a media file and a download link' })
  @ApiResponse({ status: 200, type: MediaLookup })
  @Refusals('NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_REFUSALS)
  lookUp(@Caller() caller: Tenant, @Param('id') id: string): Promise<MediaLookup> {
    return this.media.lookUp(caller, id);
  }

  @Get(':id/content')
  @Public()
  @ApiSecurity({})
  @ApiOperation({ operationId: 'downloadChatappMedia', summary: 'Download a media file through the url of its lookup' })
  @ApiQuery({ name: 'expires', required: true, type: String })
  @ApiQuery({ name: 'signature', required: true, type: String })
  @ApiResponse({
    status: 200,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @Refusals('FORBIDDEN', 'NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_REFUSALS)
  async download(
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const isHead = request.method === 'HEAD';
    const { mimeType, fileName, sizeBytes, body } = await this.media.openContent(id, proofOf(request), isHead);
    response.writeHead(200, {
      'Content-Type': mimeType,
      ...(sizeBytes === null ? {} : { 'Content-Length': sizeBytes }),
      'Content-Disposition': attachmentOf(fileName),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private',
    });
    if (!body) {
      response.end();
      return;
    }
    response.setTimeout(READER_IDLE_MS, () => response.destroy());
    try {
      await pipeline(body, response);
    } catch (error) {
      // The client or the provider has closed the connection, so no error can be answered.
      this.log.debug({ err: error }, 'a download was interrupted');
    }
  }
}

/** A missing or repeated parameter makes the link invalid. */
function proofOf(request: IncomingMessage): LinkProof {
  const parameters = parseQueryString(queryStringOf(request));
  const only = (name: string): string => {
    const values = parameters.get(name) ?? [];
    return values.length === 1 ? (values[0] ?? '') : '';
  };
  return { expires: only('expires'), signature: only('signature') };
}
