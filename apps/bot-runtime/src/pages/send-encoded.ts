import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WidgetAsset } from '@heliograph/bot-widget';
import { matchesEtag } from './matches-etag';
import { negotiateCoding } from './negotiate-coding';

export interface EncodedAnswer {
  /** 200 by default; only a 200 can become a 304. */
  status?: number;
  contentType: string;
  codings: WidgetAsset['codings'];
  headers: Record<string, string>;
}

/** Sends a body in the content coding that the client prefers, or 304 if the client has the current version. */
export function sendEncoded(request: IncomingMessage, response: ServerResponse, answer: EncodedAnswer): void {
  const { status = 200, contentType, codings, headers } = answer;
  const coding = negotiateCoding(request.headers['accept-encoding']?.toString());
  const { body, etag } = codings[coding];
  const vary = [headers['Vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  const shared = { ...headers, ETag: etag, Vary: vary, 'X-Content-Type-Options': 'nosniff' };
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, shared).end();
    return;
  }
  response.writeHead(status, {
    ...shared,
    'Content-Type': contentType,
    'Content-Length': body.length,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  });
  response.end(body);
}
