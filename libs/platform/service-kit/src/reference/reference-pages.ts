import { HttpStatus, Injectable } from '@nestjs/common';
import { renderMessage } from '@heliograph/api-reference';
import { toAppError } from '@heliograph/errors';
import { EncodedBodies } from '../encoded/encoded-bodies';
import type { EncodedResponse } from '../encoded/encoded-response.interceptor';
import { ReferenceService } from './reference.service';

/** Headers of a page of the reference: scripts, styles and requests of its own origin only. */
const HEADERS = {
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
} as const;

/** Responses with pages of the API reference. */
@Injectable()
export class ReferencePages {
  constructor(
    private readonly reference: ReferenceService,
    private readonly bodies: EncodedBodies,
  ) {}

  async encode(page: string, status: number = HttpStatus.OK): Promise<EncodedResponse> {
    const codings = await this.bodies.encode(page);
    return { status, contentType: 'text/html; charset=utf-8', codings, headers: HEADERS };
  }

  /** Errors are rendered as pages too, because people read them in a browser. */
  async encodeOrExplain(rendered: Promise<string>): Promise<EncodedResponse> {
    try {
      return await this.encode(await rendered);
    } catch (error) {
      const { status, message } = toAppError(error, { path: '/docs' });
      const title = status === 404 ? 'Not found' : 'Not available';
      const main = renderMessage(title, message);
      return this.encode(this.reference.page({ title, description: title, main }), status);
    }
  }

  json(value: object): Promise<EncodedResponse> {
    return this.text(JSON.stringify(value), 'application/json; charset=utf-8');
  }

  async text(text: string, contentType: string): Promise<EncodedResponse> {
    const codings = await this.bodies.encode(text);
    return { contentType, codings, headers: { 'Cache-Control': 'no-cache' } };
  }
}
