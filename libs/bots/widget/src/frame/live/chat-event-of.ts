import type { Conversation, Message } from '../api/records';
import type { ServerEvent } from '../api/sse-reader';
import type { ChatEvent } from '../state/chat-state';

/** Converts an event of the live stream to a chat event; null for an unknown type. Throws if the data is not JSON. */
export function chatEventOf({ event, data }: ServerEvent, known: Conversation | null): ChatEvent | null {
  if (event === 'message') return { type: 'messages', messages: [(JSON.parse(data) as { message: Message }).message] };
  if (event !== 'conversation') return null;
  const { conversation, paused } = JSON.parse(data) as { conversation: Conversation; paused?: boolean };
  return { type: 'conversation', conversation: { ...known, ...conversation }, isPaused: paused };
}
