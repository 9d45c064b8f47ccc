import { question } from '../suites/bots/content';
import type { CallOptions, Calls } from './call-options';
import { bearer, postRequest } from './http-request';

export const BENCH_BOT = 'bot_bench';

/** The nth seeded conversation and its token. */
export function benchConversation(index: number): { id: string; token: string } {
  return {
    id: `b0700000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
    token: `bcs_${String(index).padStart(43, '0')}`,
  };
}

/** Questions in conversations in turn. An empty `path` is the path of the conversation. */
export function botMessageCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const { id, token } = benchConversation(number % population);
    const body = JSON.stringify({ message: question(number).text });
    const headers = [bearer(token), `Idempotency-Key: bench-${number}`];
    return postRequest(path || `/api/v1/chat/conversations/${id}/messages`, headers, body);
  };
}

/** Starts with a first question, as the widget sends them. */
export function botStartCalls({ path }: CallOptions): Calls {
  const client = { platform: 'web', pageUrl: 'https://shop.example/help', referrer: '', language: 'en' };
  return (number) =>
    postRequest(path, [], JSON.stringify({ botId: BENCH_BOT, channel: 'web', message: question(number).text, client }));
}
