import { PassThrough } from 'node:stream';
import {
  CallHandler,
  createParamDecorator,
  ExecutionContext,
  Inject,
  Injectable,
  NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { ErrorReport, loggablePath, toAppError } from '@heliograph/errors';
import { LOGGER, requestIdOf, type Logger, sseEvent, STREAM_HEADERS, wantsStream } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import { Observable } from 'rxjs';
import { chatErrorBody } from '../chat.openapi';

interface StreamedRequest extends Request {
  onDelta?: (text: string) => void;
}

/** Receives the parts of a reply while a language model generates it; undefined unless the client requested a stream. */
export const OnDelta = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<StreamedRequest>().onDelta,
);

/**
 * Responds with an event stream if the client requests one. The stream begins with the first part of the reply, or with
 * the whole reply. An error before the stream begins is returned with its HTTP status; a later error is the last event.
 */
@Injectable()
export class StreamedReplyInterceptor implements NestInterceptor<object, object> {
  private readonly report: ErrorReport;

  constructor(@Inject(LOGGER) log: Logger) {
    this.report = new ErrorReport(log);
  }

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    const request = http.getRequest<StreamedRequest>();
    const response = http.getResponse<Response>();
    if (!wantsStream(request)) return next.handle();
    return new Observable((subscriber) => {
      const stream = new PassThrough();
      let isOpen = false;
      const write = (event: string, data: object): void => {
        stream.write(sseEvent(event, data));
        if (isOpen) return;
        isOpen = true;
        response.status(200).set(STREAM_HEADERS);
        subscriber.next(new StreamableFile(stream));
        subscriber.complete();
      };
      request.onDelta = (text) => write('delta', { text });
      next.handle().subscribe({
        next: (answer) => write('done', answer),
        error: (thrown: unknown) => {
          if (!isOpen) return subscriber.error(thrown);
          write('error', this.errorBody(thrown, request, response));
          stream.end();
        },
        complete: () => stream.end(),
      });
    });
  }

  private errorBody(thrown: unknown, { method, path }: Request, response: Response): object {
    const error = toAppError(thrown, { path });
    const requestId = requestIdOf(response);
    this.report.report(error, { requestId, method, path: loggablePath(path), err: thrown });
    response.locals['errorCode'] = error.code;
    return chatErrorBody(error);
  }
}
