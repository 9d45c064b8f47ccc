import type { Conversation, Message } from '../api/records';
import type { ServerEvent } from '../api/sse-reader';
import type { ChatEvent } from '../state/chat-state';

/** What an event of the live stream means for the chat; null for one that is not known. Throws for one that is no JSON. */
export function chatEventOf({ event, data }: ServerEvent, known: Conversation | null): ChatEvent | null {
  if (event === 'message') return { type: 'messages', messages: [(JSON.parse(data) as { message: Message }).message] };
  if (event !== 'conversation') return null;
  const { conversation, paused } = JSON.parse(data) as { conversation: Conversation; paused?: boolean };
  return { type: 'conversation', conversation: { ...known, ...conversation }, isPaused: paused };
}
