import { Readable } from 'node:stream';
import { CallHandler, ExecutionContext, Inject, Injectable, NestInterceptor, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Logger } from '../logger';
import { LOGGER } from '../tokens';
import { HttpResult } from './http-result';

/** A download is cut when the client reads nothing for this time. */
const READER_IDLE_MS = 60_000;

/** Applies the status and the headers of an `HttpResult`. Runs around all other interceptors. */
@Injectable()
export class HttpResultInterceptor implements NestInterceptor {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next
      .handle()
      .pipe(map((result) => (result instanceof HttpResult ? this.applyTo(response, result) : result)));
  }

  private applyTo(response: Response, { status, headers, body }: HttpResult<object | string>): unknown {
    if (status !== undefined) response.status(status);
    // Unlike `response.set`, this adds no character set to the media type.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (Buffer.isBuffer(body)) return new StreamableFile(body, { length: body.length });
    if (!(body instanceof Readable)) return body;
    response.setTimeout(READER_IDLE_MS, () => response.destroy());
    const note = (error: unknown): void => this.log.debug({ err: error }, 'a download was interrupted');
    return new StreamableFile(body).setErrorLogger(note).setErrorHandler((error) => {
      // Without the rest of the file, an ended response would look complete.
      note(error);
      response.destroy();
    });
  }
}
