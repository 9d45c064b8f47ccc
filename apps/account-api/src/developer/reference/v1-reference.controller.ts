import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  EncodedResponseInterceptor,
  Public,
  ReferencePages,
  ReferenceService,
  type EncodedResponse,
  V1Operation,
} from '@heliograph/service-kit';
import { PUBLIC_ERRORS } from '../../http/api-errors';
import { V1ReferenceService } from './v1-reference.service';

/** The public reference of the v1 API. */
@ApiTags('v1: reference')
@Controller('api/v1')
export class V1ReferenceController {
  constructor(
    private readonly v1: V1ReferenceService,
    private readonly reference: ReferenceService,
    private readonly pages: ReferencePages,
  ) {}

  @Get('openapi.json')
  @Public()
  @ApiResponse({ status: 200, schema: { type: 'object', additionalProperties: true } })
  @V1Operation({
    id: 'v1GetOpenApi',
    summary: 'Get the OpenAPI document of the v1 API',
    description:
      'OpenAPI 3.0, for generators of clients and tests. It describes the routes of all services below `/api/v1`.',
    errors: PUBLIC_ERRORS,
  })
  document(): Promise<object> {
    return this.v1.document();
  }

  @Get('docs')
  @Public()
  @UseInterceptors(EncodedResponseInterceptor)
  @ApiResponse({ status: 200, content: { 'text/html': { schema: { type: 'string' } } } })
  @V1Operation({
    id: 'v1GetDocs',
    summary: 'Read the reference of the v1 API',
    description: 'The page lists all operations of the v1 API.',
    errors: PUBLIC_ERRORS,
  })
  async page(): Promise<EncodedResponse> {
    return this.pages.encode(await this.reference.api('v1'));
  }
}
