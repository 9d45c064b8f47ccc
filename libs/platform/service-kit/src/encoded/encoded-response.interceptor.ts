import { CallHandler, ExecutionContext, Injectable, NestInterceptor, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { EncodedBody } from './encode-body';
import { matchesEtag } from './matches-etag';
import { negotiateCoding } from './negotiate-coding';

export interface EncodedResponse {
  /** 200 by default; only a 200 can become a 304. */
  status?: number;
  contentType: string;
  codings: EncodedBody;
  headers: Record<string, string>;
}

/** Sends a body in the content coding that the client prefers, or 304 if the client has the current version. */
@Injectable()
export class EncodedResponseInterceptor implements NestInterceptor<EncodedResponse, StreamableFile | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<EncodedResponse>): Observable<StreamableFile | undefined> {
    const http = context.switchToHttp();
    return next.handle().pipe(map((answer) => encode(http.getRequest(), http.getResponse(), answer)));
  }
}

function encode(request: Request, response: Response, answer: EncodedResponse): StreamableFile | undefined {
  const { status = 200, contentType, codings, headers } = answer;
  const coding = negotiateCoding(request.headers['accept-encoding']?.toString());
  const { body, etag } = codings[coding];
  const vary = [headers['Vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  response.set({ ...headers, ETag: etag, Vary: vary, 'X-Content-Type-Options': 'nosniff' });
  if (status === 200 && matchesEtag(request.headers['if-none-match'], etag)) {
    response.status(304);
    return undefined;
  }
  response.status(status);
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  return new StreamableFile(body, { type: contentType, length: body.length });
}
