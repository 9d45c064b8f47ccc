import type { Readable } from 'node:stream';

interface HttpResultParts<Body> {
  /** Default: the status of the route. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body: Body;
}

/** The result of a controller method whose status, headers or file depend on the call. */
export class HttpResult<Body extends object | string = object> {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as a file, a buffer and a string as they are, and any other object as JSON. */
  readonly body: Body;

  constructor({ status, headers = {}, body }: HttpResultParts<Body>) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

interface Download {
  content: Readable;
  mediaType: string;
  /** Null: unknown. */
  bytes: number | null;
  /** The Content-Disposition header. */
  disposition: string;
  cacheControl: string;
}

/** The result of a method that sends a file which is never in memory as a whole. */
export function downloadOf({ content, mediaType, bytes, disposition, cacheControl }: Download): HttpResult<Readable> {
  return new HttpResult({
    headers: {
      'Content-Type': mediaType,
      ...(bytes === null ? {} : { 'Content-Length': String(bytes) }),
      'Content-Disposition': disposition,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': cacheControl,
    },
    body: content,
  });
}
