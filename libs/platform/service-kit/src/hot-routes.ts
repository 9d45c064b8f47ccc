import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { answerError, type AppError, type ErrorReport } from '@heliograph/errors';

/**
 * A route that is called so often that the framework's way to its controller would cost more than what the controller
 * does. The same method serves it, without guards, pipes and interceptors before it: it must need none.
 */
export interface HotRoute {
  method: string;
  /** As it is sent, without parameters. */
  path: string;
  /** What it resolves with is sent as JSON, with status 200. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<object>;
}

export interface HotRouteOptions {
  routes: HotRoute[];
  /** Gives the response its request id, and counts and logs the call. */
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  report: ErrorReport;
  errorBody: (error: AppError) => object;
}

export type FindHotRoutes = (app: INestApplicationContext) => HotRoute[];

/** Puts hot routes before everything else that the server listens with. */
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
    begin(request, response);
    route.serve(request, response).then(
      (body) => send(response, 200, body),
      (thrown: unknown) => {
        const error = answerError(thrown, { method: route.method, path: route.path, response, report });
        if (error) send(response, error.status, errorBody(error), error.headers);
      },
    );
  });
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
