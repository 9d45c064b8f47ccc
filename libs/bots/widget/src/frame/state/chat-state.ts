import type { Conversation, Message, Shortcut } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';

/** A reply that a language model is writing at this moment. */
export interface Draft {
  key: string;
  text: string;
}

export interface ChatState {
  /** `restoring`: a conversation of before is being fetched. `unreachable`: that failed, and is tried again. */
  phase: 'fresh' | 'restoring' | 'unreachable' | 'ready' | 'unavailable';
  conversation: Conversation | null;
  /** What the runtime says while it is asked nothing else: a person of the team has taken over. */
  isPaused: boolean;
  /** Oldest first, each once. */
  messages: Message[];
  /** By id of a message, the key it had on its way: so it stays one node, and is announced once. */
  keys: Record<string, string>;
  outbox: readonly OutboxEntry[];
  shortcuts: Shortcut[];
  draft: Draft | null;
  /** The outbox entry whose reply is being waited for, with a sign of life not long ago. */
  typingFor: string | null;
  isOnline: boolean;
  isOpen: boolean;
  isFullScreen: boolean;
  /** Id of the last message that the visitor has had before their eyes. */
  seen: string | null;
}

export const FRESH: ChatState = {
  phase: 'fresh',
  conversation: null,
  isPaused: false,
  messages: [],
  keys: {},
  outbox: [],
  shortcuts: [],
  draft: null,
  typingFor: null,
  isOnline: true,
  isOpen: false,
  isFullScreen: false,
  seen: null,
};

export type ChatEvent =
  | { type: 'offered'; shortcuts: Shortcut[] }
  | { type: 'restoring' }
  | { type: 'unreachable' }
  | { type: 'unavailable' }
  | { type: 'started'; conversation: Conversation; shortcuts: Shortcut[] }
  | {
      type: 'restored';
      conversation: Conversation;
      isPaused: boolean | null;
      messages: Message[];
      shortcuts: Shortcut[];
      seen: string | null;
    }
  | { type: 'forgotten' }
  | { type: 'messages'; messages: Message[]; isPaused?: boolean; answered?: string }
  | { type: 'conversation'; conversation: Conversation; isPaused?: boolean }
  | { type: 'outbox'; entries: readonly OutboxEntry[] }
  | { type: 'delta'; key: string; text: string }
  | { type: 'typing'; key: string }
  | { type: 'quiet'; key: string }
  | { type: 'online'; isOnline: boolean }
  | { type: 'visible'; isOpen: boolean; isFullScreen: boolean }
  | { type: 'seen'; id: string };

export const isByAgent = (message: Message): boolean => message.metadata?.author === 'agent';
