import type { JSX } from 'preact';
import type { Draft as DraftOfReply } from '../../state/chat-state';
import { fill } from '../../strings/strings';
import { Avatar } from '../avatar';
import { useChat } from '../chat-context';
import { RichText } from './rich-text';

/** A partial reply. Its links are inactive, and screen readers announce only the complete reply. */
export function Draft({ draft }: { draft: DraftOfReply | null }): JSX.Element | null {
  const { bot } = useChat();
  if (!draft) return null;
  return (
    <div class="row row-bot is-first is-last row-draft" inert>
      <Avatar name={bot.name} logo={bot.logo} kind="bot" />
      <div class="stack">
        <div class="bubble">
          <RichText text={draft.text} />
        </div>
      </div>
    </div>
  );
}

export function Typing({ isTyping }: { isTyping: boolean }): JSX.Element {
  const { ui, bot } = useChat();
  return (
    <div role="status">
      {isTyping && (
        <div class="row row-bot is-first is-last row-typing">
          <Avatar name={bot.name} logo={bot.logo} kind="bot" />
          <div class="bubble dots">
            <span class="hidden">{fill(ui.strings.typing, { name: bot.name })}</span>
            <i />
            <i />
            <i />
          </div>
        </div>
      )}
    </div>
  );
}
