import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Controller, Get, Head, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExcludeEndpoint, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type StreamedClaim } from '@heliograph/idempotency';
import {
  AcceptsQuery,
  AdmittedByService,
  BodyStream,
  downloadOf,
  type HttpResult,
  Public,
  MessagingOperation,
} from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { attachmentOf } from './file-name';
import { LinkQuery, MediaLookup, MediaUpload, MediaUploaded, normalizeLink } from './media.dto';
import { MediaService, type MediaContent } from './media.service';

const UPSTREAM_ERRORS = ['CHATAPP_NOT_CONFIGURED', 'CHATAPP_RATE_LIMITED', 'CHATAPP_UPSTREAM'] as const;

@ChatappApi('Media')
@Controller(['chatapp/media', 'api/chatapp/media'])
export class MediaController {
  constructor(private readonly media: MediaService) {}

  @Post()
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Idempotent({ endpoint: 'chatapp.media', streamed: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ required: true, type: MediaUpload })
  @MessagingOperation({
    id: 'uploadChatappMedia',
    summary: 'Upload a file of at most 90 MB for use in messages',

    description: 'Use the `id` of the response in `media` of a send.',
    response: MediaUploaded,
    errors: [
      'MISSING_FILE',
      'MEDIA_TOO_LARGE',
      'INVALID_REQUEST',
      'CHATAPP_REQUEST_INVALID',
      'LIMIT_REACHED',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      ...UPSTREAM_ERRORS,
    ],
    sample: { body: { file: '@hello.txt;type=text/plain' }, before: ["printf 'Hello' > hello.txt"] },
  })
  upload(
    @Caller() caller: Tenant,
    @BodyStream() request: IncomingMessage,
    @IdempotencyClaim() claim: StreamedClaim | null,
  ): Promise<MediaUploaded> {
    return this.media.upload(caller, request, claim);
  }

  @Get(':id')
  @RequireScope('chatapp:read')
  @MessagingOperation({
    id: 'getChatappMedia',
    summary: 'Get a media file and a download link',

    description: 'The download link is signed and temporary.',
    response: MediaLookup,
    errors: ['NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_ERRORS],
    sample: {
      values: { id: { create: '/chatapp/media', body: { file: '@hello.txt;type=text/plain' } } },
      before: ["printf 'Hello' > hello.txt"],
    },
  })
  lookUp(@Caller() caller: Tenant, @Param('id') id: string): Promise<MediaLookup> {
    return this.media.lookUp(caller, id);
  }

  /** Without this route Express would answer HEAD through the GET handler and open the file at the provider. */
  @Head(':id/content')
  @Public()
  @ApiExcludeEndpoint()
  @AcceptsQuery(normalizeLink)
  async downloadHead(@Param('id') id: string, @Query() proof: LinkQuery): Promise<HttpResult<Readable>> {
    return fileOf(await this.media.openContent(id, proof, true));
  }

  @Get(':id/content')
  @AdmittedByService()
  @Public()
  @ApiSecurity({})
  @AcceptsQuery(normalizeLink)
  @ApiResponse({
    status: 200,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @MessagingOperation({
    id: 'downloadChatappMedia',
    summary: 'Download a media file with its download link',

    description: 'The signature of the link authorizes the download.',
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_ERRORS],
    sample: {
      url: { get: '/chatapp/media/{id}', field: 'url' },
      values: { id: { create: '/chatapp/media', body: { file: '@hello.txt;type=text/plain' } } },
      before: ["printf 'Hello' > hello.txt"],
    },
  })
  async download(@Param('id') id: string, @Query() proof: LinkQuery): Promise<HttpResult<Readable>> {
    return fileOf(await this.media.openContent(id, proof, false));
  }
}

function fileOf({ mimeType, fileName, sizeBytes, body }: MediaContent): HttpResult<Readable> {
  return downloadOf({
    content: body,
    mediaType: mimeType,
    bytes: sizeBytes,
    disposition: attachmentOf(fileName),
    cacheControl: 'private',
  });
}
