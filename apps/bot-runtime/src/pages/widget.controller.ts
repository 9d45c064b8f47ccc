import type { WidgetAsset, WidgetAssets } from '@heliograph/bot-widget';
import { AppError } from '@heliograph/errors';
import { EncodedResponseInterceptor, Public, type EncodedResponse, MessagingOperation } from '@heliograph/service-kit';
import { Controller, Get, Inject, Param, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FOR_ANY_SITE } from '../cross-origin/cross-origin';
import { WIDGET_ASSETS } from './widget-assets.provider';

const LOADER_CACHING = 'public, max-age=300, stale-while-revalidate=86400';
const ASSET_CACHING = 'public, max-age=31536000, immutable';
const HASHED_NAME = /^frame\.[0-9a-f]{16}\.(js|css)$/;

@ApiTags('Widget')
@Public()
@UseInterceptors(EncodedResponseInterceptor)
@Controller('bots')
export class WidgetController {
  constructor(@Inject(WIDGET_ASSETS) private readonly assets: WidgetAssets) {}

  @Get('widget.js')
  @MessagingOperation({
    summary: 'Get the widget loader script',
    description: 'A site includes it with a script tag and `data-bot-id`. Browsers keep it for a while.',
  })
  @ApiResponse({ status: 200, content: { 'text/javascript': { schema: { type: 'string' } } } })
  loader(): EncodedResponse {
    return assetResponse(this.assets.loader, LOADER_CACHING);
  }

  @Get('assets/:file')
  @ApiExcludeEndpoint()
  asset(@Param('file') file: string): EncodedResponse {
    const { script, style } = this.assets;
    const current = [script, style].find(({ name }) => name === file);
    if (current) return assetResponse(current, ASSET_CACHING);
    // During a deployment, the page and its files can have different versions, so the current file is served for an unknown hash.
    const extension = HASHED_NAME.exec(file)?.[1];
    if (!extension) throw new AppError('NOT_FOUND', 'Unknown file. Reload the page that refers to this file.');
    return assetResponse(extension === 'js' ? script : style, 'no-cache');
  }
}

function assetResponse({ contentType, codings }: WidgetAsset, caching: string): EncodedResponse {
  return { contentType, codings, headers: { ...FOR_ANY_SITE, 'Cache-Control': caching } };
}
