import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@heliograph/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { sendPage } from './page';
import { UNKNOWN_LINK_PAGE } from './unsubscribe-pages';
import { VisitsService } from './visits.service';

/** A transparent GIF of 1 by 1 pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const NO_STORE = {
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;
const IS_ASCII = /^[\x21-\x7e]+$/;
const IS_WEB_ADDRESS = /^https?:\/\//i;

/** Serves tracking pixels and tracked links. Public; responses reveal no information about recipients. */
@ApiExcludeController()
@Public()
@Controller('email/t')
export class VisitsController {
  constructor(
    private readonly tokens: RecipientTokens,
    private readonly visits: VisitsService,
  ) {}

  /** Returns the same image for every token, so that readers never see a broken image. */
  @Get('o/:segment')
  async open(
    @Param('segment') segment: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const ref = this.tokens.readOpen(segment);
    if (ref && request.method === 'GET') {
      await this.visits.record({ ref, type: 'opened', url: null, userAgent: request.headers['user-agent'] });
    }
    response.writeHead(200, {
      ...NO_STORE,
      'Content-Type': 'image/gif',
      'Content-Length': PIXEL.length,
      // Webmail on other origins embeds the image.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.end(PIXEL);
  }

  @Get('c/:segment')
  async click(
    @Param('segment') segment: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const link = this.tokens.readClick(segment);
    if (!link || !IS_WEB_ADDRESS.test(link.url) || !URL.canParse(link.url)) {
      sendPage(response, UNKNOWN_LINK_PAGE);
      return;
    }
    const { url, ...ref } = link;
    if (request.method === 'GET') {
      await this.visits.record({ ref, type: 'clicked', url, userAgent: request.headers['user-agent'] });
    }
    response.writeHead(302, {
      ...NO_STORE,
      // The original URL if it is valid in a header.
      Location: IS_ASCII.test(url) ? url : new URL(url).href,
      'Referrer-Policy': 'no-referrer',
      'Content-Length': 0,
    });
    response.end();
  }
}
