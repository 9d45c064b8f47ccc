import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { answerError, type AppError, type ErrorReport } from '@heliograph/errors';
import { readBody } from './request-body';
import { requestIdOf } from './request-context';

/**
 * A public route whose handling in Express and NestJS would cost more than its controller does. The method of the
 * controller serves it directly, without guards, pipes and interceptors.
 */
export interface HotRoute {
  method: string;
  /** The exact path of the request, without parameters. */
  path: string;
  maxBytes: number;
  /** Runs before the body is read, as a guard does, and throws to refuse the call. */
  assertOpen?: () => void;
  /** Calls the method of the controller. Its result is sent as JSON, with status 200. */
  serve(body: Buffer, header: (name: string) => string | undefined, requestId: string): Promise<object>;
}

export interface HotRouteOptions {
  routes: HotRoute[];
  /** Sets the request id of the response, counts and logs the call. */
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  report: ErrorReport;
  errorBody: (error: AppError) => object;
}

export type FindHotRoutes = (app: INestApplicationContext) => HotRoute[];

/** Adds hot routes to the server, before the other request listeners. */
export function serveHotRoutes(server: Server, { routes, begin, report, errorBody }: HotRouteOptions): void {
  if (routes.length === 0) return;
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const route = byName.get(`${request.method} ${request.url}`);
    if (!route) {
      for (const listener of others) listener(request, response);
      return;
    }
    // As Express does, for the labels of the metrics.
    begin(Object.assign(request, { route: { path: route.path } }), response);
    serve(route, request, response).then(
      (body) => send(response, 200, body),
      (thrown: unknown) => {
        const error = answerError(thrown, { method: route.method, path: route.path, response, report });
        if (error) send(response, error.status, errorBody(error), error.headers);
      },
    );
  });
}

async function serve(route: HotRoute, request: IncomingMessage, response: ServerResponse): Promise<object> {
  route.assertOpen?.();
  const { bytes } = await readBody(request, route.maxBytes);
  const header = (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(',') : value;
  };
  return route.serve(bytes, header, requestIdOf(response));
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
