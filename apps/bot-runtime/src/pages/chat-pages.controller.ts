import { BotDirectory, type AvailableBot } from '@heliograph/bot-catalog';
import type { PageData, WidgetAssets } from '@heliograph/bot-widget';
import { toAppError } from '@heliograph/errors';
import {
  EncodedBodies,
  EncodedResponseInterceptor,
  LOGGER,
  Public,
  RequestId,
  type EncodedResponse,
  type Logger,
  MessagingOperation,
} from '@heliograph/service-kit';
import { Controller, Get, Headers, Inject, Param, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { pagePolicy } from './page-policy';
import { preferredLocale } from './page-texts';
import { PublicAddresses } from './public-addresses';
import { NOTICE_STYLE_HASH, renderAwayPage, renderChatPage, renderUnavailablePage } from './render-page';
import { WIDGET_ASSETS } from './widget-assets.provider';
import { widgetConfig } from './widget-config';

type Mode = PageData['mode'];

interface Visit {
  botId: string;
  mode: Mode;
  /** The Accept-Language header. */
  languages: string | undefined;
  requestId: string;
}

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  // The loader passes the address of the site to the chat, and link targets do not need the referrer.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const;
/** Allows sites with cross-origin isolation to embed the frame. Third-party images are loaded without cookies. */
const FRAME_HEADERS = {
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;
const HTML = { 'text/html': { schema: { type: 'string' } } } as const;
const RETRY_AFTER_SECONDS = '10';
const NOTICE_POLICY = pagePolicy({ allowedDomains: null, inlineStyleHash: NOTICE_STYLE_HASH });

/** Serves the chat as a page for the widget's frame and as a hosted page. */
@ApiTags('Widget')
@Public()
@UseInterceptors(EncodedResponseInterceptor)
@ApiHeader({ name: 'Accept-Language', required: false, description: 'Language of the page of an unavailable bot' })
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
  @MessagingOperation({
    summary: 'Get the chat page for the frame of the widget',
    description: 'The widget loads it in an iframe. A bot that is not available has a page that says so.',
    sample: { values: { botId: 'bot_acme_help', 'accept-language': 'en' } },
  })
  @ApiResponse({ status: 200, content: HTML })
  @ApiResponse({
    status: 404,
    content: HTML,
    description: 'The bot is unknown, a draft or paused. The page shows that the chat is unavailable',
  })
  embed(
    @Param('botId') botId: string,
    @RequestId() requestId: string,
    @Headers('accept-language') languages?: string,
  ): Promise<EncodedResponse> {
    return this.page({ botId, mode: 'frame', languages, requestId });
  }

  @Get('c/:botId')
  @MessagingOperation({
    summary: 'Get the hosted chat page',
    description: 'A page of its own for links and QR codes. A bot that is not available has a page that says so.',
    sample: { values: { botId: 'bot_acme_help', 'accept-language': 'en' } },
  })
  @ApiResponse({ status: 200, content: HTML })
  @ApiResponse({
    status: 404,
    content: HTML,
    description: 'The bot is unknown, a draft or paused. The page shows that the chat is unavailable',
  })
  hosted(
    @Param('botId') botId: string,
    @RequestId() requestId: string,
    @Headers('accept-language') languages?: string,
  ): Promise<EncodedResponse> {
    return this.page({ botId, mode: 'hosted', languages, requestId });
  }

  private async page(visit: Visit): Promise<EncodedResponse> {
    const { botId, mode } = visit;
    let bot: AvailableBot | null;
    try {
      bot = await this.directory.available(botId);
    } catch (error) {
      return this.errorPage(visit, error);
    }
    if (!bot) return this.unavailablePage(visit);
    const { shortcuts, suggestions, locale } = bot;
    const data: PageData = {
      botId,
      apiBase: '',
      mode,
      config: widgetConfig(bot, this.addresses),
      shortcuts: shortcuts.map(({ id, label, command, description, type, displayOrder }) => ({
        id,
        label,
        command,
        description,
        type,
        displayOrder,
      })),
      suggestions,
    };
    return this.encode(mode, {
      status: 200,
      html: renderChatPage({ data, locale }, this.assets),
      policy: pagePolicy({ allowedDomains: bot.allowedDomains }),
    });
  }

  private unavailablePage({ botId, mode, languages }: Visit): Promise<EncodedResponse> {
    const data: PageData = { botId, apiBase: '', mode, config: null };
    return this.encode(mode, {
      status: 404,
      html: renderUnavailablePage({ data, locale: preferredLocale(languages) }, this.assets),
      policy: NOTICE_POLICY,
      headers: { Vary: 'Accept-Language' },
    });
  }

  /** The response is shown to a person, so it is HTML instead of JSON. */
  private errorPage({ mode, languages, requestId }: Visit, error: unknown): Promise<EncodedResponse> {
    this.log.error({ err: error, requestId }, 'failed to render a chat page');
    return this.encode(mode, {
      status: toAppError(error, { path: '' }).status,
      html: renderAwayPage(preferredLocale(languages)),
      policy: NOTICE_POLICY,
      headers: { Vary: 'Accept-Language', 'Cache-Control': 'no-store', 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }

  private async encode(
    mode: Mode,
    {
      status,
      html,
      policy,
      headers,
    }: { status: number; html: string; policy: string; headers?: Record<string, string> },
  ): Promise<EncodedResponse> {
    return {
      status,
      contentType: 'text/html; charset=utf-8',
      codings: await this.bodies.encode(html),
      headers: {
        ...PAGE_HEADERS,
        ...(mode === 'frame' ? FRAME_HEADERS : {}),
        'Content-Security-Policy': policy,
        ...headers,
      },
    };
  }
}
