import type { IncomingMessage } from 'node:http';

/** Headers of a single connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
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

const NOT_FORWARDED = new Set([
  ...HOP_BY_HOP,
  ...SAID_BY_PROXIES,
  // The gateway answers this header itself before it reads the body.
  'expect',
]);
const NOT_RETURNED = new Set([...HOP_BY_HOP, 'x-powered-by']);

/** Methods whose requests have a body by default. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Headers for the service as a flat list of names and values; repeated headers are retained. The X-Forwarded-* headers of
 * a trusted caller are kept, with its address appended; those of other callers are replaced.
 */
export function forwardedHeaders(
  request: IncomingMessage,
  isTrusted: (address: string) => boolean = () => false,
): string[] {
  const { headers, socket, method } = request;
  const result = keep(request, NOT_FORWARDED);
  const address = plainAddress(socket.remoteAddress);
  const given = isTrusted(address) ? headers : {};
  const chain = given['x-forwarded-for'];
  result.push('X-Forwarded-For', chain === undefined ? address : `${String(chain)}, ${address}`);
  result.push('X-Forwarded-Proto', given['x-forwarded-proto'] === 'https' ? 'https' : 'http');
  const host = given['x-forwarded-host'] ?? headers.host;
  if (host !== undefined) result.push('X-Forwarded-Host', String(host));
  if (headers.host === undefined) result.push('Host', 'localhost');
  if (headers['transfer-encoding'] !== undefined) result.push('Transfer-Encoding', 'chunked');
  else if (headers['content-length'] === undefined && BODY_METHODS.has(method ?? ''))
    result.push('Content-Length', '0');
  result.push('Connection', 'keep-alive');
  return result;
}

/** Headers for the caller as the service sent them. */
export function returnedHeaders(response: IncomingMessage): string[] {
  return keep(response, NOT_RETURNED);
}

function keep({ rawHeaders, headers: { connection } }: IncomingMessage, dropped: ReadonlySet<string>): string[] {
  const named = connection === undefined || PLAIN_CONNECTION.test(connection) ? null : namesIn(connection);
  const kept: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    if (!dropped.has(lower) && !named?.has(lower)) kept.push(name, rawHeaders[i + 1] ?? '');
  }
  return kept;
}

const PLAIN_CONNECTION = /^(?:keep-alive|close)$/i;

/** Connection may name further hop-by-hop headers, except those that the message requires. */
function namesIn(connection: string): Set<string> {
  const names = new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
  for (const needed of ['content-length', 'content-type', 'host', 'authorization', 'x-api-key']) names.delete(needed);
  return names;
}

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plainAddress(address: string | undefined): string {
  return address?.startsWith('::ffff:') ? address.slice(7) : (address ?? '');
}
