import type { JSX } from 'preact';
import { useChat } from './chat-context';

/** The page for a bot that is not available. */
export function Unavailable(): JSX.Element {
  const { ui, bot } = useChat();
  const { strings } = ui;
  // The header of a known bot contains its name as the first heading.
  const Heading = bot.name === '' ? 'h1' : 'h2';
  return (
    <div class="unavailable" role="status">
      <svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true" focusable="false" class="icon">
        <path d="M20 15a2 2 0 0 1-2 2H8l-4 4V6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2z" />
        <path d="m10 8.5 4 4m0-4-4 4" />
      </svg>
      <Heading>{strings.unavailableTitle}</Heading>
      <p>{strings.unavailableText}</p>
    </div>
  );
}
