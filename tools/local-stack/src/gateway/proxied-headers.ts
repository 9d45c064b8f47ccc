import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers of a single connection (RFC 9110, section 7.6.1). The proxy library sets its own for the next connection. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];

/** Headers that only a trusted proxy may set. */
const SAID_BY_PROXIES = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/** Headers that Connection cannot remove, because the message requires them. */
const REQUIRED = new Set(['content-length', 'transfer-encoding', 'content-type', 'host', 'authorization', 'x-api-key']);

/**
 * Makes the headers of a request those that the service gets; repeated headers are retained. The X-Forwarded-* headers
 * of a trusted caller are kept, with its address appended; those of other callers are replaced.
 */
export function prepareRequest(request: IncomingMessage, isTrusted: (address: string) => boolean): void {
  const { headers, headersDistinct, socket } = request;
  const address = plainAddress(socket.remoteAddress);
  const given = isTrusted(address) ? { ...headers } : {};
  const host = given['x-forwarded-host'] ?? headers.host;
  const chain = given['x-forwarded-for'];
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (values.length > 1) headers[name] = values;
  }
  dropConnectionHeaders(request);
  for (const name of SAID_BY_PROXIES) delete headers[name];
  // The gateway answers this header itself before it reads the body.
  delete headers.expect;
  headers['x-forwarded-for'] = chain === undefined ? address : `${String(chain)}, ${address}`;
  headers['x-forwarded-proto'] = given['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  if (host !== undefined) headers['x-forwarded-host'] = host;
  headers.host ??= 'localhost';
}

/** Makes the headers of the service's answer those that the caller gets. */
export function prepareResponse(answer: IncomingMessage, _request: IncomingMessage, response: ServerResponse): void {
  dropConnectionHeaders(answer);
  delete answer.headers['x-powered-by'];
  answer.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
}

function dropConnectionHeaders({ headers }: IncomingMessage): void {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  for (const name of [...HOP_BY_HOP, ...named]) if (!REQUIRED.has(name)) delete headers[name];
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plainAddress(address: string | undefined): string {
  return address?.startsWith('::ffff:') ? address.slice(7) : (address ?? '');
}
