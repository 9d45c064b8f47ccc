import { createHash } from 'node:crypto';
import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AdmittedByService, EncodedResponseInterceptor, Public, type EncodedResponse } from '@heliograph/service-kit';
import { ConsoleFiles } from './console-files';

const ASSET_CACHING = 'public, max-age=31536000, immutable';

/**
 * The style sheets that the library of the controls (react-aria) adds to the page: without delay of taps, and against scrolling behind
 * dialogs in Safari on iOS. Their hashes allow these texts and no others.
 */
const LIBRARY_STYLES = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
];
const STYLE_HASHES = LIBRARY_STYLES.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** No inline scripts and styles, no other site, and no text that becomes markup or a script. */
const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${STYLE_HASHES.join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The links of emails contain tokens.
  'Referrer-Policy': 'no-referrer',
};

/** Serves the built console of apps/console. Every path below /console is a screen of the same page. */
@ApiExcludeController()
@Public()
@AdmittedByService()
@UseInterceptors(EncodedResponseInterceptor)
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get('assets/:file')
  async asset(@Param('file') name: string): Promise<EncodedResponse> {
    return { ...(await this.files.asset(name)), headers: { 'Cache-Control': ASSET_CACHING } };
  }

  @Get(['', '*path'])
  async page(): Promise<EncodedResponse> {
    return { ...(await this.files.page()), headers: PAGE_HEADERS };
  }
}
