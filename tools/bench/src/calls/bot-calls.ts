import { question } from '../suites/bots/content';
import type { CallOptions, Calls } from './calls';

export const BENCH_BOT = 'bot_bench';

/** The nth conversation of the bench, and the token that opens it. */
export function benchConversation(index: number): { id: string; token: string } {
  return {
    id: `b0700000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    token: `bcs_${String(index).padStart(43, '0')}`,
  };
}

/** Questions in conversations that take turns; `path` is that of another endpoint, or empty for the conversation's own. */
export function botMessageCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const { id, token } = benchConversation(number % population);
    // Bytes, not characters.
    const body = Buffer.from(JSON.stringify({ message: question(number).text }));
    const address = path === '' ? `/api/v1/chat/conversations/${id}/messages` : path;
    const head =
      `POST ${address} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: bench-${number}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  };
}

/** Starts with a first question, as the widget sends them. */
export function botStartCalls({ path }: CallOptions): Calls {
  return (number) => {
    const client = { platform: 'web', pageUrl: 'https://shop.example/help', referrer: '', language: 'en' };
    const body = Buffer.from(
      JSON.stringify({ botId: BENCH_BOT, channel: 'web', message: question(number).text, client }),
    );
    const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  };
}
