import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { VisitorTraits } from '../../protocol';
import type { ChatSession } from '../state/chat-session';
import type { Strings } from '../strings/en';
import type { Interface } from '../strings/strings';

/** Services and texts that all components share and that never change. */
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
  if (!chat) throw new Error('The chat context is missing. Render the component inside ChatContextProvider.');
  return chat;
}

export const useStrings = (): Strings => useChat().ui.strings;
