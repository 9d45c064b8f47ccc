const MAX_LENGTH = 500;
/** Long and random, and no UUID: the token of a link in a mail. */
const TOKEN = /(?<=\/)(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\/|$))[\w-]{32,}(?=\/|$)/gi;

/** A path as it may stand in a log: without its query, and without secrets that lead somewhere. */
export function loggablePath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(0, MAX_LENGTH).replaceAll(TOKEN, '…');
}
