import type { IncomingMessage } from 'node:http';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

/** The connection is closed if no data arrives for this time. */
const IDLE_MS = 5_000;
/** The connection is closed after this time, even if data still arrives. */
const MAX_LINGER_MS = 30_000;

/** Discards the unread rest of the body of an upload. */
@Injectable()
export class DiscardRestInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    return next.handle().pipe(finalize(() => discardRest(request)));
  }
}

/**
 * Discards the rest of a request body, because a client that is still writing might not read the response if the connection
 * were closed immediately. Closes the connection if the client stops sending, or sends for too long.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const endsAt = performance.now() + MAX_LINGER_MS;
  let isWriting = false;
  const check = (): void => {
    if (!request.complete && (!isWriting || performance.now() > endsAt)) request.destroy();
    isWriting = false;
  };
  // `setImmediate`: if the event loop was blocked, the data that has arrived meanwhile is read before the check.
  const timer = setInterval(() => setImmediate(check), IDLE_MS);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  request
    .on('data', () => (isWriting = true))
    .once('end', stop)
    .once('close', stop);
}
