import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { answerError, type AppError, type ErrorReport } from '@heliograph/errors';

/**
 * A route with so many calls that the request pipeline of the framework would cost more than the controller. It is
 * served without guards, pipes and interceptors, so it must need none.
 */
export interface HotRoute {
  method: string;
  /** The path as sent, without parameters. */
  path: string;
  /** The resolved value is sent as JSON with status 200. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<object>;
}

export interface HotRouteOptions {
  routes: HotRoute[];
  /** Adds the request id to the response, and counts and logs the call. */
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  report: ErrorReport;
  errorBody: (error: AppError) => object;
}

export type FindHotRoutes = (app: INestApplicationContext) => HotRoute[];

/** Installs the hot routes before all other request listeners of the server. */
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
