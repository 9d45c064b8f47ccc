import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@heliograph/platform';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { sendPage } from './page';
import { UNKNOWN_LINK_PAGE } from './unsubscribe-pages';
import { VisitsService } from './visits.service';

/** One transparent point. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const NOT_KEPT = {
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;
const IS_ASCII = /^[\x21-\x7e]+$/;
const IS_WEB_ADDRESS = /^https?:\/\//i;

/** What the mails of others point to: pictures and links. Answers anybody, and tells nobody anything. */
@ApiExcludeController()
@Public()
@Controller('email/t')
export class VisitsController {
  constructor(
    @Inject(RecipientTokens) private readonly tokens: RecipientTokens,
    @Inject(VisitsService) private readonly visits: VisitsService,
  ) {}

  /** The same picture for every token, genuine or not: a reader must not see a broken one. */
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
      ...NOT_KEPT,
      'Content-Type': 'image/gif',
      'Content-Length': PIXEL.length,
      // Web mail on other origins shows it.
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
      ...NOT_KEPT,
      // As the sender wrote it where a header can hold that.
      Location: IS_ASCII.test(url) ? url : new URL(url).href,
      'Referrer-Policy': 'no-referrer',
      'Content-Length': 0,
    });
    response.end();
  }
}
