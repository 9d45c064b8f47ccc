import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VisitorTraits } from '../../protocol';
import type { ChatSession } from '../state/chat-session';
import type { Strings } from '../strings/en';
import type { Interface } from '../strings/strings';

/** What every part of the chat needs and nothing changes. */
export interface ChatContext {
  ui: Interface;
  bot: { name: string; logo: string | null };
  session: ChatSession;
  traits(): VisitorTraits;
}

const Context = createContext<ChatContext | null>(null);
export const ChatContextProvider = Context.Provider;

export function useChat(): ChatContext {
  const chat = useContext(Context);
  if (!chat) throw new Error('A part of the chat was drawn outside of it: wrap it in ChatContextProvider.');
  return chat;
}

export const useStrings = (): Strings => useChat().ui.strings;
