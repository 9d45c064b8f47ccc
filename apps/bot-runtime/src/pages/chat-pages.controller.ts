import type { IncomingMessage, ServerResponse } from 'node:http';
import { BotDirectory, type AvailableBot } from '@heliograph/bot-catalog';
import type { PageData, WidgetAssets } from '@heliograph/bot-widget';
import { toAppError } from '@heliograph/errors';
import { LOGGER, Public, requestIdOf, type Logger } from '@heliograph/service-kit';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { pagePolicy } from './page-policy';
import { preferredLocale } from './page-texts';
import { PublicAddresses } from './public-addresses';
import { NOTICE_STYLE_HASH, renderAwayPage, renderChatPage, renderUnavailablePage } from './render-page';
import { sendEncoded } from './send-encoded';
import { EncodedBodies, WIDGET_ASSETS } from './widget-assets.provider';
import { widgetConfig } from './widget-config';

type Mode = PageData['mode'];

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  // The loader passes the site's address to the chat; the targets of links do not need it.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const;
/** Allows sites with cross-origin isolation to embed the frame; third-party pictures are loaded without cookies. */
const FRAME_HEADERS = {
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;
const HTML = { 'text/html': { schema: { type: 'string' } } } as const;
const RETRY_AFTER_SECONDS = '10';

/** The chat as a page: in the widget's frame, and as a page of its own. */
@ApiTags('Widget')
@Public()
@Controller()
export class ChatPagesController {
  constructor(
    @Inject(WIDGET_ASSETS) private readonly assets: WidgetAssets,
    private readonly directory: BotDirectory,
    private readonly addresses: PublicAddresses,
    private readonly bodies: EncodedBodies,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get('bots/embed/:botId')
  @ApiOperation({ summary: 'Get the chat page for the frame of the widget' })
  @ApiResponse({ status: 200, content: HTML })
  @ApiResponse({
    status: 404,
    content: HTML,
    description: 'The bot is unknown, a draft or paused; the page says that the chat is unavailable',
  })
  embed(
    @Param('botId') botId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    return this.sendPage(request, response, { botId, mode: 'frame' });
  }

  @Get('c/:botId')
  @ApiOperation({ summary: 'Get the hosted chat page' })
  @ApiResponse({ status: 200, content: HTML })
  @ApiResponse({
    status: 404,
    content: HTML,
    description: 'The bot is unknown, a draft or paused; the page says that the chat is unavailable',
  })
  hosted(
    @Param('botId') botId: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    return this.sendPage(request, response, { botId, mode: 'hosted' });
  }

  private async sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    { botId, mode }: { botId: string; mode: Mode },
  ): Promise<void> {
    let bot: AvailableBot | null;
    try {
      bot = await this.directory.available(botId);
    } catch (error) {
      return this.sendAway(request, response, { mode, error });
    }
    if (!bot) return this.sendUnavailable(request, response, { botId, mode });
    const { shortcuts, suggestions, locale } = bot;
    const data: PageData = {
      ...{ botId, apiBase: '', mode, config: widgetConfig(bot, this.addresses) },
      shortcuts: shortcuts.map(({ id, label, command, description, type, displayOrder }) => ({
        ...{ id, label, command, description, type, displayOrder },
      })),
      suggestions,
    };
    await this.send(request, response, {
      mode,
      status: 200,
      html: renderChatPage({ data, locale }, this.assets),
      policy: pagePolicy({ allowedDomains: bot.allowedDomains }),
    });
  }

  private sendUnavailable(
    request: IncomingMessage,
    response: ServerResponse,
    { botId, mode }: { botId: string; mode: Mode },
  ): Promise<void> {
    const locale = preferredLocale(request.headers['accept-language']);
    const data: PageData = { botId, apiBase: '', mode, config: null };
    return this.send(request, response, {
      mode,
      status: 404,
      html: renderUnavailablePage({ data, locale }, this.assets),
      policy: pagePolicy({ allowedDomains: [], inlineStyleHash: NOTICE_STYLE_HASH }),
      headers: { Vary: 'Accept-Language' },
    });
  }

  /** A person reads this response, so it is HTML and not JSON. */
  private sendAway(
    request: IncomingMessage,
    response: ServerResponse,
    { mode, error }: { mode: Mode; error: unknown },
  ): Promise<void> {
    const { status } = toAppError(error, { path: '', allowed: [] });
    this.log.error({ err: error, requestId: requestIdOf(response) }, 'a chat page could not be rendered');
    return this.send(request, response, {
      mode,
      status,
      html: renderAwayPage(preferredLocale(request.headers['accept-language'])),
      policy: pagePolicy({ allowedDomains: [], inlineStyleHash: NOTICE_STYLE_HASH }),
      headers: { Vary: 'Accept-Language', 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    page: { mode: Mode; status: number; html: string; policy: string; headers?: Record<string, string> },
  ): Promise<void> {
    sendEncoded(request, response, {
      status: page.status,
      contentType: 'text/html; charset=utf-8',
      codings: await this.bodies.encode(page.html),
      headers: {
        ...PAGE_HEADERS,
        ...(page.mode === 'frame' ? FRAME_HEADERS : {}),
        'Content-Security-Policy': page.policy,
        ...page.headers,
      },
    });
  }
}
