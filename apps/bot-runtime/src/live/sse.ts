import type { IncomingMessage } from 'node:http';

/** What a stream of events is sent with: nobody on the way keeps, changes or gathers it. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** One event in the form of the HTML standard, section 9.2. JSON has no line breaks of its own. */
export function sseEvent(event: string, data: object, id?: string): string {
  const lines = [`event: ${event}`, ...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`];
  return `${lines.join('\n')}\n\n`;
}

export function wantsStream(request: IncomingMessage): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(request.headers.accept ?? '');
}
