import { Controller, Get, Head, Headers, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HttpResult, Public, renderPage } from '@heliograph/service-kit';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { UNKNOWN_LINK_PAGE } from './unsubscribe-pages';
import { VisitsService } from './visits.service';

/** A transparent GIF of 1 by 1 pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const NO_STORE = {
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;
const PIXEL_RESPONSE = new HttpResult({
  // Webmail on other origins embeds the image.
  headers: { ...NO_STORE, 'Content-Type': 'image/gif', 'Cross-Origin-Resource-Policy': 'cross-origin' },
  body: PIXEL,
});
const IS_ASCII = /^[\x21-\x7e]+$/;
const IS_WEB_ADDRESS = /^https?:\/\//i;

/**
 * Serves tracking pixels and tracked links. Public; responses reveal no information about recipients. Express answers
 * HEAD with the GET handler by default, which would record a visit.
 */
@ApiExcludeController()
@Public()
@Controller(['email/t', 'api/email/t'])
export class VisitsController {
  constructor(
    private readonly tokens: RecipientTokens,
    private readonly visits: VisitsService,
  ) {}

  @Head('o/:segment')
  openHead(): HttpResult<Buffer> {
    return PIXEL_RESPONSE;
  }

  /** Returns the same image for every token, so that mail clients never show a broken image. */
  @Get('o/:segment')
  async open(
    @Param('segment') segment: string,
    @Headers('user-agent') userAgent?: string,
  ): Promise<HttpResult<Buffer>> {
    const ref = this.tokens.readOpen(segment);
    if (ref) await this.visits.record({ ref, type: 'opened', url: null, userAgent });
    return PIXEL_RESPONSE;
  }

  @Head('c/:segment')
  clickHead(@Param('segment') segment: string): HttpResult<string> {
    const link = this.readLink(segment);
    return link ? redirectTo(link.url) : renderPage(UNKNOWN_LINK_PAGE);
  }

  @Get('c/:segment')
  async click(
    @Param('segment') segment: string,
    @Headers('user-agent') userAgent?: string,
  ): Promise<HttpResult<string>> {
    const link = this.readLink(segment);
    if (!link) return renderPage(UNKNOWN_LINK_PAGE);
    const { url, ...ref } = link;
    await this.visits.record({ ref, type: 'clicked', url, userAgent });
    return redirectTo(url);
  }

  private readLink(segment: string) {
    const link = this.tokens.readClick(segment);
    return link && IS_WEB_ADDRESS.test(link.url) && URL.canParse(link.url) ? link : null;
  }
}

function redirectTo(url: string): HttpResult<string> {
  // The original URL if it is valid in a header.
  const headers = {
    ...NO_STORE,
    Location: IS_ASCII.test(url) ? url : new URL(url).href,
    'Referrer-Policy': 'no-referrer',
  };
  return new HttpResult({ status: 302, headers, body: '' });
}
