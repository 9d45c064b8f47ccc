import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Conversation } from '../api/records';
import { useChat } from './chat-context';
import { FeedbackForm } from './forms/feedback-form';

interface Props {
  conversation: Conversation;
  titleRef: { current: HTMLParagraphElement | null };
}

/** Replaces the composer when the conversation has ended: feedback form, and buttons to reopen or restart. */
export function ClosedFooter({ conversation, titleRef }: Props): JSX.Element {
  const { ui, session } = useChat();
  const { strings } = ui;
  const [hasFailed, setFailed] = useState(false);
  const { status } = conversation;
  const reopen = () => {
    setFailed(false);
    session.reopen().catch(() => setFailed(true));
  };
  return (
    <div class="closed">
      <p class="closed-title" role="status" tabIndex={-1} ref={titleRef}>
        {status === 'archived' ? strings.archived : status === 'closed' ? strings.closedByTeam : strings.ended}
      </p>
      {status !== 'archived' && <FeedbackForm key={conversation.id} feedback={conversation.feedback ?? null} />}
      <p class="hint is-error" role="alert">
        {hasFailed && strings.failed}
      </p>
      <div class="buttons">
        {status === 'ended' && (
          <button type="button" class="secondary" onClick={reopen}>
            {strings.reopen}
          </button>
        )}
        <button type="button" class="secondary" onClick={() => session.startNew()}>
          {strings.newChat}
        </button>
      </div>
    </div>
  );
}
