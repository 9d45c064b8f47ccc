import { BotDirectory } from '@heliograph/bot-catalog';
import type { LauncherConfig } from '@heliograph/bot-widget';
import { AppError } from '@heliograph/errors';
import {
  AcceptsQuery,
  describeErrors,
  EncodedBodies,
  EncodedResponseInterceptor,
  Public,
  scriptJson,
  type EncodedResponse,
  MessagingOperation,
} from '@heliograph/service-kit';
import { All, Controller, Get, Query, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FOR_ANY_SITE } from '../cross-origin/cross-origin';
import { botUnavailable } from '../turns/bot-unavailable';
import { directionOf, pageTexts } from './page-texts';
import { PublicAddresses } from './public-addresses';
import { widgetConfig } from './widget-config';
import { WidgetConfigErrorFilter } from './widget-config-error.filter';
import {
  normalizeWidgetConfigQuery,
  WidgetConfigQuery,
  WidgetConfigRefusal,
  WidgetConfigResponse,
} from './widget-config.dto';

const CONFIG_CACHING = 'public, max-age=60';

/** Serves the public configuration of a bot to the loader and to other clients. */
@ApiTags('Widget')
@Public()
@UseFilters(WidgetConfigErrorFilter)
@UseInterceptors(EncodedResponseInterceptor)
@Controller('bots/widget/config')
export class WidgetConfigController {
  constructor(
    private readonly directory: BotDirectory,
    private readonly addresses: PublicAddresses,
    private readonly bodies: EncodedBodies,
  ) {}

  @Get()
  @MessagingOperation({
    summary: 'Get the public widget configuration of a bot',
    description: 'The name, the colors and the welcome message, for a widget of your own.',
  })
  @AcceptsQuery(normalizeWidgetConfigQuery)
  @ApiResponse({ status: 200, type: WidgetConfigResponse })
  @ApiResponse({ status: 400, type: WidgetConfigRefusal, description: 'INVALID_REQUEST: a parameter is repeated' })
  @ApiResponse({
    status: 404,
    type: WidgetConfigRefusal,
    description: 'BOT_UNAVAILABLE: the bot is unknown, a draft or paused',
  })
  @describeErrors(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'], { type: WidgetConfigRefusal })
  async config(@Query() { botId, format }: WidgetConfigQuery): Promise<EncodedResponse> {
    const bot = await this.directory.available(botId);
    if (!bot) throw botUnavailable();
    const config = widgetConfig(bot, this.addresses);
    const [contentType, text] =
      format === 'module'
        ? ['text/javascript; charset=utf-8', `export default ${scriptJson(this.launcherConfig(config))};\n`]
        : ['application/json; charset=utf-8', JSON.stringify(config)];
    return {
      contentType,
      codings: await this.bodies.encode(text),
      headers: { ...FOR_ANY_SITE, 'Cache-Control': CONFIG_CACHING },
    };
  }

  /** Without this route, the error of another method would have the body of the other APIs. */
  @All()
  @ApiExcludeEndpoint()
  other(): never {
    throw new AppError('METHOD_NOT_ALLOWED', 'Use GET on this path.', { headers: { Allow: 'GET' } });
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
