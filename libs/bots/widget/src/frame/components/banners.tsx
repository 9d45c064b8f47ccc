import type { JSX } from 'preact';
import type { ChatState } from '../state/chat-state';
import { useChat } from './chat-context';
import { OfflineIcon } from './icons';

/** Banners about the connection. */
export function Banners({ state }: { state: ChatState }): JSX.Element {
  const { strings } = useChat().ui;
  return (
    <div class="banners" role="status">
      {!state.isOnline && (
        <p class="banner banner-offline">
          <OfflineIcon />
          {strings.offline}
        </p>
      )}
      {state.phase === 'unreachable' && state.isOnline && <p class="banner banner-offline">{strings.unreachable}</p>}
    </div>
  );
}
