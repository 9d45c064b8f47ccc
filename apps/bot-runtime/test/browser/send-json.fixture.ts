import type { ServerResponse } from 'node:http';

export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, status: number, code = 'INTERNAL_ERROR', retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  send(response, status, { ok: false, code, message: `Refused with ${code}.` });
}
