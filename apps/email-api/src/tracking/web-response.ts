import { CallHandler, ExecutionContext, Injectable, NestInterceptor, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';

/** A response for a browser or a mail client: a page, an image or a redirect. */
export interface WebResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** Sends the `WebResponse` of a controller. */
@Injectable()
export class WebResponseInterceptor implements NestInterceptor<WebResponse, string | StreamableFile> {
  intercept(context: ExecutionContext, next: CallHandler<WebResponse>): Observable<string | StreamableFile> {
    return next.handle().pipe(
      map(({ status, headers, body }) => {
        context.switchToHttp().getResponse<Response>().status(status).set(headers);
        return typeof body === 'string' ? body : new StreamableFile(body, { length: body.length });
      }),
    );
  }
}
