import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useChat } from './chat-context';
import { Modal } from './modal';

/** Asks for confirmation before the conversation ends. */
export function EndModal({ onClose }: { onClose(): void }): JSX.Element {
  const { ui, session } = useChat();
  const { strings } = ui;
  const [state, setState] = useState<'asking' | 'ending' | 'failed'>('asking');
  const end = async () => {
    if (state === 'ending') return;
    setState('ending');
    try {
      await session.end();
      onClose();
    } catch {
      setState('failed');
    }
  };
  return (
    <Modal title={strings.endQuestion} onClose={onClose}>
      <p>{strings.endExplanation}</p>
      <p class="hint is-error" role="alert">
        {state === 'failed' && strings.failed}
      </p>
      <div class="buttons">
        <button type="button" class="secondary" onClick={onClose}>
          {strings.cancel}
        </button>
        <button type="button" class="primary" onClick={() => void end()} aria-disabled={state === 'ending'}>
          {strings.endChat}
        </button>
      </div>
    </Modal>
  );
}
