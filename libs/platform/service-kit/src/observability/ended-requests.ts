import type { Response } from 'express';
import type { IdentifiedRequest } from '../http/request.decorators';

/** The end of a request. */
export interface RequestEnd {
  /** X-Request-Id */
  requestId: string;
  /** Without the query string, tokens and addresses of persons. */
  path: string;
  /** From the first byte of the request to the last byte of the response. */
  seconds: number;
  traceId: string | undefined;
  /** The connection was closed before the end of the response. */
  isAborted: boolean;
}

export type RequestObserver = (request: IdentifiedRequest, response: Response, end: RequestEnd) => void;

/** Reports the end of every request of the service to its observers. */
export class EndedRequests {
  private readonly observers: RequestObserver[] = [];

  register(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  report(request: IdentifiedRequest, response: Response, end: RequestEnd): void {
    for (const observe of this.observers) observe(request, response, end);
  }
}
