const MAX_LENGTH = 500;
/** Long and random, but not a UUID: the token of a link in an email. */
const TOKEN = /(?<=\/)(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\/|$))[\w-]{32,}(?=\/|$)/gi;

/** An email address, or a telephone number in international notation. */
const ADDRESS = /(?<=\/)(?:[^/]*(?:@|%40)[^/]*|(?:\+|%2B)?\d{7,15})(?=\/|$)/gi;

/** Formats a path for the log: without its query string, without tokens that give access, and without addresses of persons. */
export function loggablePath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(0, MAX_LENGTH).replaceAll(TOKEN, '…').replaceAll(ADDRESS, '…');
}
