import type { Message } from '../api/records';
import { isByAgent, type ChatState } from './chat-state';
import { lastIndexOf } from './last';

/**
 * Who answers the visitor now.
 * `bot`: the bot. `waiting`: the visitor has requested a person, and nobody has joined yet. `person`: an agent has
 * taken over; `name` is null if the agent has not written yet. `away`: no connection to the runtime.
 */
export type Presence = { kind: 'bot' | 'waiting' | 'away' } | { kind: 'person'; name: string | null };

/** Returns null if nobody answers: the bot is unavailable, the conversation is over, or it is not loaded yet. */
export function presenceOf(state: ChatState): Presence | null {
  const { phase, conversation, messages, isPaused } = state;
  if (phase === 'unavailable' || (conversation !== null && conversation.status !== 'open')) return null;
  if (!isConnected(state)) return { kind: 'away' };
  if (phase === 'restoring') return null;
  const byAgent = lastIndexOf(messages, isByAgent);
  if (isPaused) return { kind: 'person', name: messages[byAgent]?.metadata.agentName || null };
  return { kind: lastIndexOf(messages, requestsPerson) > byAgent ? 'waiting' : 'bot' };
}

const requestsPerson = (message: Message): boolean => message.metadata?.['via'] === 'handoff';

/** Whether the browser is online and the runtime answers. */
function isConnected({ isOnline, isReachable, phase, outbox }: ChatState): boolean {
  const isRetrying = outbox.some(
    ({ state, failures, error }) => state !== 'failed' && failures > 0 && error !== 'RATE_LIMITED' && error !== null,
  );
  return isOnline && isReachable && phase !== 'unreachable' && !isRetrying;
}
