import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i;

/**
 * Converts the absolute form of a request target (`GET http://host/path`), which every server must accept (RFC 9112, section 3.2.2),
 * to a path. The authority of the target replaces the Host header.
 */
export function useOriginForm(request: IncomingMessage): void {
  const [, authority, rest] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (authority === undefined || rest === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  const { rawHeaders } = request;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === 'host') rawHeaders[i + 1] = authority;
  }
}
