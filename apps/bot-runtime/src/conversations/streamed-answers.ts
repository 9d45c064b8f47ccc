import { Inject, Injectable } from '@nestjs/common';
import { ErrorReport, loggablePath, toAppError } from '@heliograph/errors';
import type { Answer } from '@heliograph/idempotency';
import { LOGGER, requestIdOf, type Logger } from '@heliograph/platform';
import type { Request, Response } from 'express';
import { chatErrorBody } from '../chat.openapi';
import { sseEvent, STREAM_HEADERS } from '../live/sse';

/** Answers a message as a stream of events, for who wants to see a reply while it is written. */
@Injectable()
export class StreamedAnswers {
  private readonly report: ErrorReport;

  constructor(@Inject(LOGGER) log: Logger) {
    this.report = new ErrorReport(log);
  }

  /**
   * The stream begins with the first part of the reply, else with the whole. What fails before is answered with its
   * status, as ever; what fails after becomes the last event.
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
    // The status is out: what is left is to say it.
    const error = toAppError(thrown, { path, allowed: [] });
    const requestId = requestIdOf(response);
    this.report.report(error, { requestId, method, path: loggablePath(path), err: thrown });
    response.locals['errorCode'] = error.code;
    if (!response.destroyed) response.write(sseEvent('error', chatErrorBody(error)));
  }
}
