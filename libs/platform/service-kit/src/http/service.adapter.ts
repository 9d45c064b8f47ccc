import { createServer, IncomingMessage, ServerResponse, type RequestListener, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import type { Logger } from '../observability/logger';
import { HttpResult } from './http-result';

/** A download is cut when the client reads nothing for this time. */
const READER_IDLE_MS = 60_000;

/**
 * Sends the results of controller methods. It applies the status and the headers of an `HttpResult`, and writes JSON without
 * the checks of `response.json` for settings that no service uses.
 *
 * It creates requests and responses with the prototypes of Express. Express otherwise replaces the prototypes of each request and
 * response, and V8 does not optimize access to such objects (docs/adr/0015).
 */
export class ServiceAdapter extends ExpressAdapter {
  constructor(private readonly log: Logger) {
    super();
  }

  private opened: Server | null = null;

  /**
   * Creates the HTTP server before the application, so that it can listen while the application starts. `listener` answers requests
   * until `serve()`.
   */
  open(listener: RequestListener): Server {
    this.opened = this.createServer(listener);
    this.httpServer = this.opened;
    return this.opened;
  }

  /** Passes the requests of the opened server to the application from now on. */
  serve(): void {
    this.opened?.removeAllListeners('request').on('request', this.getInstance<Express>());
  }

  override initHttpServer(): void {
    if (this.opened === null) this.httpServer = this.createServer(this.getInstance<Express>());
  }

  private createServer(listener: RequestListener): Server {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    Object.setPrototypeOf(ExpressRequest.prototype, app.request);
    Object.setPrototypeOf(ExpressResponse.prototype, app.response);
    app.request = ExpressRequest.prototype as typeof app.request;
    app.response = ExpressResponse.prototype as unknown as typeof app.response;
    return createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, listener);
  }

  override reply(response: Response, result: unknown, statusCode?: number): void {
    const { status = statusCode, body } =
      result instanceof HttpResult ? this.apply(response, result) : { body: result };
    if (isJson(body)) sendJson(response, body, status);
    else super.reply(response, body, status);
  }

  private apply(
    response: Response,
    { status, headers, body }: HttpResult<object | string>,
  ): { status?: number | undefined; body: unknown } {
    // Unlike `response.set`, this adds no character set to the media type.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (Buffer.isBuffer(body)) return { status, body: new StreamableFile(body, { length: body.length }) };
    if (!(body instanceof Readable)) return { status, body };
    response.setTimeout(READER_IDLE_MS, () => response.destroy());
    const note = (error: unknown): void => this.log.debug({ err: error }, 'a download was interrupted');
    const file = new StreamableFile(body).setErrorLogger(note).setErrorHandler((error) => {
      // Without the rest of the file, an ended response would look complete.
      note(error);
      response.destroy();
    });
    return { status, body: file };
  }
}

function isJson(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile || body instanceof Error);
}

function sendJson(response: Response, body: object, status: number | undefined): void {
  // For the request log.
  response.locals['body'] = body;
  const text = JSON.stringify(body);
  if (status !== undefined) response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
