import type { JSX } from 'preact';
import { isByAgent, type ChatState } from '../state/chat-state';
import { lastIndexOf } from '../state/last';
import { fill } from '../strings/strings';
import { Avatar } from './avatar';
import { useChat } from './chat-context';
import { OfflineIcon } from './icons';

/** Status banners: no connection, or an agent has taken over. */
export function Banners({ state }: { state: ChatState }): JSX.Element {
  const { strings } = useChat().ui;
  const agent = state.messages[lastIndexOf(state.messages, isByAgent)]?.metadata.agentName ?? '';
  const isWithPerson = state.isPaused && state.conversation?.status === 'open';
  return (
    <div class="banners" role="status">
      {!state.isOnline && (
        <p class="banner banner-offline">
          <OfflineIcon />
          {strings.offline}
        </p>
      )}
      {state.phase === 'unreachable' && state.isOnline && <p class="banner banner-offline">{strings.unreachable}</p>}
      {isWithPerson && (
        <p class="banner banner-person">
          <Avatar name={agent || strings.team} logo={null} kind="agent" />
          <span dir="auto">{agent ? fill(strings.person, { name: agent }) : strings.personUnnamed}</span>
        </p>
      )}
    </div>
  );
}
