import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type StreamedCall } from '@heliograph/idempotency';
import { AcceptsQuery, LOGGER, Public, Refusals, type Logger } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { DiscardRestInterceptor } from './discard-rest';
import { attachmentOf } from './file-name';
import { LinkQuery, MediaLookup, MediaUpload, MediaUploaded, normalizeLink } from './media.dto';
import { MediaService } from './media.service';

/** A download is aborted when the client reads no data for this time. */
const READER_IDLE_MS = 60_000;
const UPSTREAM_REFUSALS = ['CHATAPP_NOT_CONFIGURED', 'CHATAPP_RATE_LIMITED', 'CHATAPP_UPSTREAM'] as const;

@ChatappApi('Media')
@UseInterceptors(DiscardRestInterceptor)
@Controller(['chatapp/media', 'api/chatapp/media'])
export class MediaController {
  constructor(
    private readonly media: MediaService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'uploadChatappMedia', summary: 'Upload a file of at most 90 MB for use in messages' })
  @Idempotent({ endpoint: 'chatapp.media', streamed: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ required: true, type: MediaUpload })
  @ApiResponse({ status: 200, type: MediaUploaded })
  @Refusals(
    'MISSING_FILE',
    'MEDIA_TOO_LARGE',
    'INVALID_REQUEST',
    'CHATAPP_REQUEST_INVALID',
    'LIMIT_REACHED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_REFUSALS,
  )
  upload(
    @Caller() caller: Tenant,
    @Req() request: IncomingMessage,
    @IdempotencyClaim() claim: StreamedCall | null,
  ): Promise<MediaUploaded> {
    return this.media.upload(caller, request, claim);
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
  @ApiOperation({ operationId: 'downloadChatappMedia', summary: 'Download a media file with its download link' })
  @AcceptsQuery(normalizeLink)
  @ApiResponse({
    status: 200,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @Refusals('FORBIDDEN', 'NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_REFUSALS)
  async download(
    @Param('id') id: string,
    @Query() proof: LinkQuery,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const isHead = request.method === 'HEAD';
    const { mimeType, fileName, sizeBytes, body } = await this.media.openContent(id, proof, isHead);
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
      // The client or the provider has closed the connection, so no error response is possible.
      this.log.debug({ err: error }, 'a download was interrupted');
    }
  }
}
