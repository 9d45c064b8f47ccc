import { BotDirectory } from '@heliograph/bot-catalog';
import type { LauncherConfig, WidgetAsset, WidgetAssets } from '@heliograph/bot-widget';
import { AppError } from '@heliograph/errors';
import {
  AcceptsQuery,
  EncodedBodies,
  EncodedResponseInterceptor,
  Public,
  scriptJson,
  type EncodedResponse,
} from '@heliograph/service-kit';
import { Controller, Get, Inject, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { directionOf, pageTexts } from './page-texts';
import { PublicAddresses } from './public-addresses';
import { WIDGET_ASSETS } from './widget-assets.provider';
import { widgetConfig } from './widget-config';
import { normalizeWidgetConfigQuery, WidgetConfigQuery, WidgetConfigRefusal, WidgetConfigResponse } from './widget.dto';

/** Allows every site to load the response, including sites with cross-origin isolation (COEP). */
const FOR_ANY_SITE = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;
const LOADER_CACHING = 'public, max-age=300, stale-while-revalidate=86400';
const ASSET_CACHING = 'public, max-age=31536000, immutable';
const CONFIG_CACHING = 'public, max-age=60';
/** A shorter lifetime, because owners check the bot right after publishing it. */
const REFUSAL_CACHING = 'public, max-age=5';
const HASHED_NAME = /^frame\.[0-9a-f]{16}\.(js|css)$/;

@ApiTags('Widget')
@Public()
@UseInterceptors(EncodedResponseInterceptor)
@Controller('bots')
export class WidgetController {
  constructor(
    @Inject(WIDGET_ASSETS) private readonly assets: WidgetAssets,
    private readonly directory: BotDirectory,
    private readonly addresses: PublicAddresses,
    private readonly bodies: EncodedBodies,
  ) {}

  @Get('widget.js')
  @ApiOperation({ summary: 'Get the widget loader script' })
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

  @Get('widget/config')
  @ApiOperation({ summary: 'Get the public widget configuration of a bot' })
  @AcceptsQuery(normalizeWidgetConfigQuery)
  @ApiResponse({ status: 200, type: WidgetConfigResponse })
  @ApiResponse({ status: 400, type: WidgetConfigRefusal, description: 'INVALID_REQUEST: a parameter is repeated' })
  @ApiResponse({
    status: 404,
    type: WidgetConfigRefusal,
    description: 'BOT_UNAVAILABLE: the bot is unknown, a draft or paused',
  })
  async config(@Query() { botId, format, isRepeated }: WidgetConfigQuery): Promise<EncodedResponse> {
    if (isRepeated) return this.json(400, { ok: false, code: 'INVALID_REQUEST' }, 'no-store');
    const bot = await this.directory.available(botId);
    if (!bot) return this.json(404, { ok: false, code: 'BOT_UNAVAILABLE' }, REFUSAL_CACHING);
    const config = widgetConfig(bot, this.addresses);
    if (format !== 'module') return this.json(200, config, CONFIG_CACHING);
    return {
      contentType: 'text/javascript; charset=utf-8',
      codings: await this.bodies.encode(`export default ${scriptJson(this.launcherConfig(config))};\n`),
      headers: { ...FOR_ANY_SITE, 'Cache-Control': CONFIG_CACHING },
    };
  }

  private async json(
    status: number,
    body: WidgetConfigResponse | WidgetConfigRefusal,
    caching: string,
  ): Promise<EncodedResponse> {
    return {
      status,
      contentType: 'application/json; charset=utf-8',
      codings: await this.bodies.encode(JSON.stringify(body)),
      headers: { ...FOR_ANY_SITE, 'Cache-Control': caching },
    };
  }

  private launcherConfig({ botId, name, color, welcome, locale }: WidgetConfigResponse): LauncherConfig {
    const { open, close, unread, dismiss, loading, failed, elsewhere, retry } = pageTexts(locale);
    return {
      name,
      color,
      welcome,
      locale,
      direction: directionOf(locale),
      hostedUrl: this.addresses.hostedUrl(botId),
      texts: { open, close, unread, dismiss, loading, failed, elsewhere, retry },
    };
  }
}

function assetResponse({ contentType, codings }: WidgetAsset, caching: string): EncodedResponse {
  return { contentType, codings, headers: { ...FOR_ANY_SITE, 'Cache-Control': caching } };
}
