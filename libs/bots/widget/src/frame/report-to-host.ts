import type { HostBridge } from './host-bridge';
import { unreadOf } from './state/chat-reducer';
import type { ChatSession } from './state/chat-session';
import type { ChatState } from './state/chat-state';
import type { ChatStore } from './state/chat-store';
import { lastOf } from './state/last';
import { plainTextOf } from './text/markdown';

const PREVIEW_LENGTH = 140;

/** Reports the unread messages, the existence of a conversation and new messages to the loader. */
export function reportToHost(host: HostBridge, store: ChatStore, session: ChatSession): void {
  let unread = '';
  let exists: boolean | null = null;
  /** The messages of the current conversation that were reported; earlier messages are not reported. */
  let reported: { conversation: string | null; ids: Set<string> } = { conversation: null, ids: new Set() };

  const report = (state: ChatState) => {
    if (state.phase === 'restoring' || state.phase === 'unreachable') return;
    const last = lastOf(state.messages);
    if (last && state.isOpen && document.visibilityState === 'visible') session.markSeen(last.id);

    const unseen = unreadOf(store.state);
    const newest = lastOf(unseen);
    const preview = newest ? shortened(plainTextOf(newest.content)) : null;
    if (unread !== `${unseen.length} ${preview}`) {
      unread = `${unseen.length} ${preview}`;
      host.send({ type: 'unread', count: unseen.length, preview });
    }
    if (exists !== (state.conversation !== null)) {
      exists = state.conversation !== null;
      host.send({ type: 'conversation', exists });
    }
    reported = reportMessages(host, state, reported);
  };
  store.subscribe(report);
  document.addEventListener('visibilitychange', () => report(store.state));
  report(store.state);
}

function reportMessages(
  host: HostBridge,
  state: ChatState,
  reported: { conversation: string | null; ids: Set<string> },
) {
  const conversation = state.conversation?.id ?? null;
  if (conversation !== reported.conversation) {
    return { conversation, ids: new Set(state.messages.map(({ id }) => id)) };
  }
  for (const { id, role } of state.messages) {
    if (reported.ids.has(id)) continue;
    reported.ids.add(id);
    host.send({ type: 'message', role });
  }
  return reported;
}

const shortened = (text: string): string =>
  text.length <= PREVIEW_LENGTH ? text : `${[...text.slice(0, PREVIEW_LENGTH)].slice(0, -1).join('').trimEnd()}…`;
