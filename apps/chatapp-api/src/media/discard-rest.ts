import type { IncomingMessage } from 'node:http';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';

const LINGER_MS = 2_000;

/** Discards the unread rest of the body of an upload. */
@Injectable()
export class DiscardRestInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    return next.handle().pipe(finalize(() => discardRest(request)));
  }
}

/**
 * Discards the rest of a request body for a short time, because a client that is still writing might not read the
 * response if the connection were closed immediately. Closes the connection afterwards.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, LINGER_MS);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
}
