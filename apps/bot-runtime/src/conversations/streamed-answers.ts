import { Inject, Injectable } from '@nestjs/common';
import { ErrorReport, loggablePath, toAppError } from '@heliograph/errors';
import type { Answer } from '@heliograph/idempotency';
import { LOGGER, requestIdOf, type Logger } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import { chatErrorBody } from '../chat.openapi';
import { sseEvent, STREAM_HEADERS } from '../live/sse';

/** Answers a message with an event stream, for clients that show a reply while it is generated. */
@Injectable()
export class StreamedAnswers {
  private readonly report: ErrorReport;

  constructor(@Inject(LOGGER) log: Logger) {
    this.report = new ErrorReport(log);
  }

  /**
   * The stream begins with the first part of the reply, or with the whole reply. An earlier error is answered with its
   * status as usual; a later error becomes the last event.
   */
  async send(
    request: Request,
    response: Response,
    send: (onDelta: (text: string) => void) => Promise<Answer<object>>,
  ): Promise<void> {
    const write = (event: string, data: object): void => {
      if (response.destroyed) return;
      if (!response.headersSent) response.writeHead(200, STREAM_HEADERS);
      response.write(sseEvent(event, data));
    };
    try {
      const { body, replayed } = await send((text) => write('delta', { text }));
      if (replayed && !response.headersSent) response.setHeader('Idempotent-Replayed', 'true');
      write('done', body);
    } catch (thrown) {
      if (!response.headersSent) throw thrown;
      this.fail(thrown, request, response);
    }
    response.end();
  }

  private fail(thrown: unknown, { method, path }: Request, response: Response): void {
    // The status has been sent, so the error is sent as an event.
    const error = toAppError(thrown, { path, allowed: [] });
    const requestId = requestIdOf(response);
    this.report.report(error, { requestId, method, path: loggablePath(path), err: thrown });
    response.locals['errorCode'] = error.code;
    if (!response.destroyed) response.write(sseEvent('error', chatErrorBody(error)));
  }
}
