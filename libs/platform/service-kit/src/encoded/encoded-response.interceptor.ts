import type { IncomingHttpHeaders } from 'node:http';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { HttpResult } from '../http/http-result';
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
export class EncodedResponseInterceptor implements NestInterceptor<EncodedResponse, HttpResult<Buffer | string>> {
  intercept(context: ExecutionContext, next: CallHandler<EncodedResponse>): Observable<HttpResult<Buffer | string>> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(map((answer) => encode(request.headers, answer)));
  }
}

function encode(headers: IncomingHttpHeaders, answer: EncodedResponse): HttpResult<Buffer | string> {
  const { status = 200, contentType, codings } = answer;
  const coding = negotiateCoding(headers['accept-encoding']?.toString());
  const { body, etag } = codings[coding];
  const vary = [answer.headers['Vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  const common = { ...answer.headers, ETag: etag, Vary: vary, 'X-Content-Type-Options': 'nosniff' };
  if (status === 200 && matchesEtag(headers['if-none-match'], etag)) {
    return new HttpResult({ status: 304, headers: common, body: '' });
  }
  const typed = { ...common, 'Content-Type': contentType };
  const coded = coding === 'identity' ? typed : { ...typed, 'Content-Encoding': coding };
  return new HttpResult({ status, headers: coded, body });
}
