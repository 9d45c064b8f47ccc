import type { Message } from '../api/records';
import { lastIndexOf } from './last';
import { FRESH, isByAgent, type ChatEvent, type ChatState } from './chat-state';

/** Returns the state after an event; the same object if nothing changed. */
export function reduceChat(state: ChatState, event: ChatEvent): ChatState {
  switch (event.type) {
    case 'offered':
      return { ...state, shortcuts: event.shortcuts };
    case 'restoring':
      return { ...state, phase: 'restoring' };
    case 'unreachable':
      return { ...state, phase: 'unreachable' };
    case 'unavailable':
      return { ...state, phase: 'unavailable', draft: null, typingFor: null };
    case 'started':
      return { ...state, phase: 'ready', conversation: event.conversation, shortcuts: event.shortcuts };
    case 'restored':
      return {
        ...state,
        phase: 'ready',
        isReachable: true,
        conversation: event.conversation,
        isPaused: event.isPaused ?? wroteAgentLast(event.messages),
        messages: event.messages,
        keys: {},
        shortcuts: event.shortcuts.length > 0 ? event.shortcuts : state.shortcuts,
        seen: event.seen,
      };
    case 'forgotten': {
      const { outbox, shortcuts, isOnline, isReachable, isOpen, isFullScreen } = state;
      return { ...FRESH, outbox, shortcuts, isOnline, isReachable, isOpen, isFullScreen };
    }
    case 'messages':
      return addMessages(state, event);
    case 'conversation':
      return { ...state, conversation: event.conversation, isPaused: event.isPaused ?? state.isPaused };
    case 'outbox':
      return { ...state, outbox: event.entries, ...endOfWaiting(state, event.entries) };
    case 'delta': {
      // The live stream can deliver the complete reply before the last part arrives.
      if (state.typingFor !== event.key) return state;
      return { ...state, draft: { key: event.key, text: (state.draft?.text ?? '') + event.text } };
    }
    case 'typing':
      return state.isPaused || isAnswered(state, event.key) ? state : { ...state, typingFor: event.key };
    case 'quiet':
      return state.typingFor === event.key && !state.draft ? { ...state, typingFor: null } : state;
    case 'online':
      return { ...state, isOnline: event.isOnline };
    case 'reachable':
      return state.isReachable === event.isReachable ? state : { ...state, isReachable: event.isReachable };
    case 'visible':
      return { ...state, isOpen: event.isOpen, isFullScreen: event.isFullScreen };
    case 'seen':
      return { ...state, seen: event.id };
  }
}

/** Messages that the visitor has not seen. */
export function unreadOf({ messages, seen }: ChatState): Message[] {
  const last = lastIndexOf(messages, ({ id }) => id === seen);
  return messages.slice(last + 1).filter(({ role }) => role === 'assistant');
}

/** Outbox entries to render; an entry whose message has arrived from the server is omitted. */
export function visibleOutbox({ outbox, keys }: ChatState): ChatState['outbox'] {
  const arrived = new Set(Object.values(keys));
  return outbox.filter(({ key, form }) => form === null && !arrived.has(key));
}

function addMessages(state: ChatState, event: Extract<ChatEvent, { type: 'messages' }>): ChatState {
  const { messages: incoming, answered } = event;
  const known = new Set(state.messages.map(({ id }) => id));
  const news = incoming.filter((message, at) => !known.has(message.id) && firstAt(incoming, message.id) === at);
  const keys = keysOf(state, news, incoming, answered);
  const isReplied = answered !== undefined || news.some((message) => message.role === 'assistant');
  const isPaused = event.isPaused ?? (news.some(isByAgent) || state.isPaused);
  return {
    ...state,
    messages: news.reduce(insert, state.messages),
    keys,
    isPaused,
    ...(isReplied || isPaused ? { draft: null, typingFor: null } : {}),
  };
}

const firstAt = (messages: Message[], id: string): number => messages.findIndex((message) => message.id === id);

/**
 * Maps messages to the outbox entries of this tab. A response contains the mapping; a message that the live stream
 * delivers first is matched by its text.
 */
function keysOf(state: ChatState, news: Message[], incoming: Message[], answered: string | undefined) {
  const keys = { ...state.keys };
  const own = incoming.find(({ role }) => role === 'user');
  if (answered !== undefined && own) {
    for (const [id, key] of Object.entries(keys)) if (key === answered) delete keys[id];
    keys[own.id] = answered;
    return keys;
  }
  const taken = new Set(Object.values(keys));
  for (const message of news) {
    if (message.role !== 'user') continue;
    const entry = state.outbox.find(
      ({ key, form, text, failures, state: sending }) =>
        !taken.has(key) && form === null && text === message.content && (sending === 'sending' || failures > 0),
    );
    if (!entry) continue;
    taken.add(entry.key);
    keys[message.id] = entry.key;
  }
  return keys;
}

/** Inserts a message by its creation time, because the live stream and responses can arrive in any order. */
function insert(messages: Message[], message: Message): Message[] {
  const time = Date.parse(message.createdAt);
  const at = lastIndexOf(messages, ({ createdAt }) => !(Date.parse(createdAt) > time));
  return [...messages.slice(0, at + 1), message, ...messages.slice(at + 1)];
}

/** Whether the reply to the entry with this key has arrived; the live stream can deliver it before the response. */
function isAnswered({ messages, keys }: ChatState, key: string): boolean {
  const asked = lastIndexOf(messages, ({ id }) => keys[id] === key);
  return asked >= 0 && messages.slice(asked + 1).some((message) => message.role === 'assistant' && !isByAgent(message));
}

/** Ends the typing indicator if its entry was delivered or waits for a retry. */
function endOfWaiting({ typingFor }: ChatState, entries: ChatState['outbox']) {
  const entry = entries.find(({ key }) => key === typingFor);
  return typingFor !== null && entry?.state !== 'sending' ? { draft: null, typingFor: null } : {};
}

function wroteAgentLast(messages: Message[]): boolean {
  const last = messages[lastIndexOf(messages, ({ role }) => role === 'assistant')];
  return last !== undefined && isByAgent(last);
}
