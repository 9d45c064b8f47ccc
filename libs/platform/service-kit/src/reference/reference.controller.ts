import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { AppError } from '@heliograph/errors';
import { Public } from '../access';
import { AdmittedByService } from '../limits/admitted-by-service.decorator';
import { EncodedResponseInterceptor, type EncodedResponse } from '../encoded/encoded-response.interceptor';
import { AcceptsQuery, type FormFields } from '../http/input-formats';
import { ApiDescription } from '../openapi/openapi';
import { referenceAsset } from './reference-assets';
import { ReferencePages } from './reference-pages';
import { ReferenceService } from './reference.service';

const MAX_QUERY = 200;
const MARKDOWN = 'text/markdown; charset=utf-8';
const ASSET_CACHING = 'public, max-age=31536000, immutable';

class SearchQuery {
  @IsString()
  q: string;
}

/** A missing query has no results; a long one is truncated. */
function normalizeSearch(fields: FormFields): SearchQuery {
  return { q: (fields.get('q')?.[0] ?? '').slice(0, MAX_QUERY) };
}

/** The OpenAPI document of the service, and the API reference. */
@ApiExcludeController()
@Public()
@AdmittedByService()
@UseInterceptors(EncodedResponseInterceptor)
@Controller()
export class ReferenceController {
  constructor(
    private readonly reference: ReferenceService,
    private readonly pages: ReferencePages,
    private readonly own: ApiDescription,
  ) {}

  @Get('openapi.json')
  ownDocument(): Promise<EncodedResponse> {
    return this.pages.json(this.own.read());
  }

  @Get('docs')
  overview(): Promise<EncodedResponse> {
    return this.pages.encodeOrExplain(this.reference.overview());
  }

  @Get('docs/search')
  @AcceptsQuery(normalizeSearch)
  search(@Query() { q }: SearchQuery): Promise<EncodedResponse> {
    return this.pages.encodeOrExplain(this.reference.searchPage(q));
  }

  @Get('docs/search.json')
  @AcceptsQuery(normalizeSearch)
  async results(@Query() { q }: SearchQuery): Promise<EncodedResponse> {
    return this.pages.json(await this.reference.search(q));
  }

  @Get('docs/llms.txt')
  async llms(): Promise<EncodedResponse> {
    return this.pages.text(await this.reference.llmsText(), 'text/plain; charset=utf-8');
  }

  @Get('docs/guides/:slug.md')
  guideAsMarkdown(@Param('slug') slug: string): Promise<EncodedResponse> {
    return this.pages.text(this.reference.guideAsMarkdown(slug), MARKDOWN);
  }

  @Get('docs/guides/:slug')
  guide(@Param('slug') slug: string): Promise<EncodedResponse> {
    return this.pages.encodeOrExplain(this.reference.guide(slug));
  }

  @Get('docs/assets/:file')
  async asset(@Param('file') file: string): Promise<EncodedResponse> {
    const asset = referenceAsset(file);
    if (!asset) throw new AppError('NOT_FOUND', 'Unknown file. Load the page that refers to it again.');
    const { contentType, codings } = asset;
    return { contentType, codings: await codings, headers: { 'Cache-Control': ASSET_CACHING } };
  }

  @Get('docs/:api/openapi.json')
  async document(@Param('api') id: string): Promise<EncodedResponse> {
    return this.pages.json(await this.reference.document(id));
  }

  @Get('docs/:group/:page.md')
  async resourceAsMarkdown(@Param('group') group: string, @Param('page') page: string): Promise<EncodedResponse> {
    return this.pages.text(await this.reference.resourceAsMarkdown(group, page), MARKDOWN);
  }

  @Get('docs/:group/:page')
  resource(@Param('group') group: string, @Param('page') page: string): Promise<EncodedResponse> {
    return this.pages.encodeOrExplain(this.reference.resource(group, page));
  }

  /** A group of the reference, or an API. */
  @Get('docs/:section')
  section(@Param('section') name: string): Promise<EncodedResponse> {
    return this.pages.encodeOrExplain(this.reference.section(name));
  }
}
