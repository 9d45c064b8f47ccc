import type { IncomingMessage, ServerResponse } from 'node:http';
import { BotDirectory } from '@heliograph/bot-catalog';
import type { LauncherConfig, WidgetAsset, WidgetAssets } from '@heliograph/bot-widget';
import { AppError } from '@heliograph/errors';
import { parseQueryString, Public, queryStringOf } from '@heliograph/service-kit';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { scriptJson } from './escape-html';
import { directionOf, pageTexts } from './page-texts';
import { PublicAddresses } from './public-addresses';
import { sendEncoded } from './send-encoded';
import { EncodedBodies, WIDGET_ASSETS } from './widget-assets.provider';
import { widgetConfig } from './widget-config';
import { WidgetConfigAnswer, WidgetConfigRefusal } from './widget.dto';

/** Every site may load it, including sites with cross-origin isolation (COEP). */
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
  loader(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    this.sendAsset(request, response, this.assets.loader, LOADER_CACHING);
  }

  @Get('assets/:file')
  @ApiExcludeEndpoint()
  asset(@Param('file') file: string, @Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    const { script, style } = this.assets;
    const current = [script, style].find(({ name }) => name === file);
    if (current) return this.sendAsset(request, response, current, ASSET_CACHING);
    // During a deployment the page and its files can come from different versions; the nearest version is better than
    // none.
    const extension = HASHED_NAME.exec(file)?.[1];
    if (!extension) throw new AppError('NOT_FOUND', 'Unknown file. Load the page that refers to it again.');
    this.sendAsset(request, response, extension === 'js' ? script : style, 'no-cache');
  }

  @Get('widget/config')
  @ApiOperation({ summary: 'Get the public widget configuration of a bot' })
  @ApiQuery({ name: 'botId', description: 'Public id of the bot' })
  @ApiResponse({ status: 200, type: WidgetConfigAnswer })
  @ApiResponse({ status: 400, type: WidgetConfigRefusal, description: 'INVALID_REQUEST: a repeated parameter' })
  @ApiResponse({
    status: 404,
    type: WidgetConfigRefusal,
    description: 'BOT_UNAVAILABLE: the bot is unknown, a draft or paused',
  })
  async config(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const query = parseQueryString(queryStringOf(request));
    const [botIds = [], formats = []] = [query.get('botId'), query.get('format')];
    const send = async (status: number, body: object, caching: string): Promise<void> =>
      sendEncoded(request, response, {
        status,
        contentType: 'application/json; charset=utf-8',
        codings: await this.bodies.encode(JSON.stringify(body)),
        headers: { ...FOR_ANY_SITE, 'Cache-Control': caching },
      });
    if (botIds.length > 1 || formats.length > 1) {
      return send(400, { ok: false, code: 'INVALID_REQUEST' }, 'no-store');
    }
    const bot = await this.directory.available(botIds[0] ?? '');
    if (!bot) return send(404, { ok: false, code: 'BOT_UNAVAILABLE' }, REFUSAL_CACHING);
    const config = widgetConfig(bot, this.addresses);
    if (formats[0] !== 'module') return send(200, config, CONFIG_CACHING);
    sendEncoded(request, response, {
      contentType: 'text/javascript; charset=utf-8',
      codings: await this.bodies.encode(`export default ${scriptJson(this.launcherConfig(config))};\n`),
      headers: { ...FOR_ANY_SITE, 'Cache-Control': CONFIG_CACHING },
    });
  }

  private launcherConfig({ botId, name, color, welcome, locale }: WidgetConfigAnswer): LauncherConfig {
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

  private sendAsset(
    request: IncomingMessage,
    response: ServerResponse,
    { contentType, codings }: WidgetAsset,
    caching: string,
  ): void {
    sendEncoded(request, response, {
      contentType,
      codings,
      headers: { ...FOR_ANY_SITE, 'Cache-Control': caching },
    });
  }
}
