import type { Conversation, Message, Shortcut } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';

/** A partial reply that a language model is writing. */
export interface Draft {
  key: string;
  text: string;
}

export interface ChatState {
  /** `restoring`: the stored conversation is being fetched. `unreachable`: fetching it failed and is retried. */
  phase: 'fresh' | 'restoring' | 'unreachable' | 'ready' | 'unavailable';
  conversation: Conversation | null;
  /** Whether an agent has taken over, as last reported by the runtime. */
  isPaused: boolean;
  /** Oldest first, without duplicates. */
  messages: Message[];
  /** Outbox keys by message id, so that a delivered message keeps its DOM node and is announced only once. */
  keys: Record<string, string>;
  outbox: readonly OutboxEntry[];
  shortcuts: Shortcut[];
  draft: Draft | null;
  /** The outbox entry for which the typing indicator is shown. */
  typingFor: string | null;
  isOnline: boolean;
  /** False while requests for updates fail. */
  isReachable: boolean;
  isOpen: boolean;
  isFullScreen: boolean;
  /** Id of the last message that the visitor has seen. */
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
  isReachable: true,
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
  | { type: 'reachable'; isReachable: boolean }
  | { type: 'visible'; isOpen: boolean; isFullScreen: boolean }
  | { type: 'seen'; id: string };

export const isByAgent = (message: Message): boolean => message.metadata?.author === 'agent';
