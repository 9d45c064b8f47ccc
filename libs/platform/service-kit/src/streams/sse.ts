import type { IncomingMessage } from 'node:http';

/** Headers of an event stream: proxies must not cache, transform or buffer it. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Formats an event (HTML Standard, section 9.2). JSON contains no line breaks, so one data line is sufficient. */
export function sseEvent(event: string, data: object, id?: string): string {
  const lines = [`event: ${event}`, ...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`];
  return `${lines.join('\n')}\n\n`;
}

export function wantsStream(request: IncomingMessage): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(request.headers.accept ?? '');
}
