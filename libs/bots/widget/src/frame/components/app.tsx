import type { JSX } from 'preact';
import { useEffect, useRef, useState, useLayoutEffect } from 'preact/hooks';
import type { PageData } from '../../protocol';
import type { Shortcut } from '../api/records';
import type { ChatState } from '../state/chat-state';
import type { ChatStore } from '../state/chat-store';
import { presenceOf } from '../state/presence';
import { quickRepliesOf } from '../state/timeline';
import type { Strings } from '../strings/en';
import { Banners } from './banners';
import { useChat } from './chat-context';
import { ClosedFooter } from './closed-footer';
import type { ChoiceList } from './messages/choices';
import { Composer } from './composer/composer';
import { Conversation } from './messages/conversation';
import { EndModal } from './end-modal';
import { FeedbackForm } from './forms/feedback-form';
import { Header, type Option } from './header';
import { Modal } from './modal';
import { Unavailable } from './unavailable';

/** Number of shortcuts shown before the first message; the slash menu contains all of them. */
const MOST_CARDS = 4;
const MOST_CHIPS = 4;

interface Props {
  store: ChatStore;
  suggestions: NonNullable<PageData['suggestions']>;
  greeting(): string;
  /** Null if the chat is a page instead of a frame. */
  onClose: (() => void) | null;
}

type Dialog = 'none' | 'end' | 'rate';

/** The complete chat. */
export function App({ store, suggestions, greeting, onClose }: Props): JSX.Element {
  const { session, ui, bot } = useChat();
  const { strings } = ui;
  const [state, setState] = useState(store.state);
  const { conversation } = state;
  const isOver = conversation !== null && conversation.status !== 'open';
  const [dialog, setDialog] = useState<Dialog>('none');
  const composer = useRef<HTMLTextAreaElement>(null);
  const closed = useRef<HTMLParagraphElement>(null);
  // A layout effect, because the host can send messages before a normal effect runs; they would not be rendered until
  // the next event.
  useLayoutEffect(() => {
    setState(store.state);
    return store.subscribe(setState);
  }, [store]);
  useFocusOnOpen(state, composer, onClose !== null);
  useFocusOnChange(isOver, composer, closed);
  useEffect(() => {
    if (!onClose) return undefined;
    const relay = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', relay);
    return () => document.removeEventListener('keydown', relay);
  }, [onClose]);

  const shortcuts = [...state.shortcuts].sort((a, b) => (a.displayOrder ?? 0) - (b.displayOrder ?? 0));
  const options = state.phase === 'unavailable' ? [] : optionsOf(state, strings, setDialog);
  const aside = onClose || state.phase === 'unavailable' ? null : asideOf(shortcuts, isOver, strings, session);
  return (
    <main
      class={`chat${onClose ? '' : ' chat-page'}${aside ? ' has-aside' : ''}${state.isFullScreen ? ' is-full-screen' : ''}`}
    >
      {(bot.name !== '' || onClose) && (
        <Header presence={presenceOf(state)} options={options} shortcuts={aside} onClose={onClose} />
      )}
      <Banners state={state} />
      {state.phase === 'unavailable' ? (
        <Unavailable />
      ) : (
        <>
          <Conversation
            state={state}
            greeting={greeting()}
            isHome={isHome(state)}
            choices={choicesOf(state, shortcuts, suggestions, strings, session)}
          />
          {isOver ? (
            <ClosedFooter conversation={conversation} titleRef={closed} />
          ) : (
            <Composer shortcuts={shortcuts} inputRef={composer} />
          )}
        </>
      )}
      {dialog === 'end' && conversation && <EndModal onClose={() => setDialog('none')} />}
      {dialog === 'rate' && conversation && (
        <Modal title={strings.rate} onClose={() => setDialog('none')}>
          <FeedbackForm feedback={conversation.feedback ?? null} />
          <div class="buttons">
            <button type="button" class="secondary" onClick={() => setDialog('none')}>
              {strings.cancel}
            </button>
          </div>
        </Modal>
      )}
    </main>
  );
}

function optionsOf({ conversation }: ChatState, strings: Strings, show: (dialog: Dialog) => void): Option[] {
  if (conversation?.status !== 'open') return [];
  return [
    { label: strings.rate, choose: () => show('rate') },
    { label: strings.endChat, choose: () => show('end') },
  ];
}

/** All shortcuts, for the space next to the conversation; null if the bot has none. */
function asideOf(
  shortcuts: Shortcut[],
  isDisabled: boolean,
  strings: Strings,
  session: ReturnType<typeof useChat>['session'],
): ChoiceList | null {
  if (shortcuts.length === 0) return null;
  const list = shortcuts.map((shortcut) => ({ ...shortcut, choose: () => session.sendShortcut(shortcut) }));
  return { label: strings.shortcuts, list, isLarge: true, isDisabled };
}

/** The header before the first message. */
const isHome = ({ messages, outbox, phase }: ChatState): boolean =>
  messages.length === 0 && outbox.length === 0 && (phase === 'fresh' || phase === 'ready');

/** Quick replies of the last message; before the first message, the shortcuts and suggestions of the bot. */
function choicesOf(
  state: ChatState,
  shortcuts: Shortcut[],
  suggestions: Props['suggestions'],
  strings: Strings,
  session: ReturnType<typeof useChat>['session'],
): ChoiceList[] {
  if (isHome(state)) {
    const cards = shortcuts
      .slice(0, MOST_CARDS)
      .map((shortcut) => ({ ...shortcut, choose: () => session.sendShortcut(shortcut) }));
    const chips = suggestions
      .filter(({ label }) => !shortcuts.some((shortcut) => shortcut.label === label))
      .slice(0, MOST_CHIPS)
      .map(({ id, label }) => ({ id, label, choose: () => session.send(label, { type: 'faq', id }) }));
    return [
      { label: strings.shortcuts, list: cards, isLarge: true },
      { label: strings.suggestions, list: chips, isLarge: false },
    ];
  }
  const isOpen = state.conversation?.status === 'open';
  const list = (isOpen ? quickRepliesOf(state) : []).map(({ id, label, action }) => ({
    id,
    label,
    choose: () => session.send(label, action),
  }));
  return [{ label: strings.suggestions, list, isLarge: false }];
}

/** Moves the focus when the footer replaces the composer or the composer replaces the footer. */
function useFocusOnChange(
  isOver: boolean,
  composer: { current: HTMLElement | null },
  closed: { current: HTMLElement | null },
): void {
  const wasOver = useRef(isOver);
  useEffect(() => {
    if (wasOver.current === isOver) return undefined;
    wasOver.current = isOver;
    // A closing dialog returns the focus first.
    const timer = setTimeout(() => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (!isLost || !document.hasFocus()) return;
      if (isOver) closed.current?.focus();
      else if (!matchMedia('(pointer: coarse)').matches) composer.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [isOver]);
}

/**
 * Focuses the composer when the panel opens. Not on touch devices, where this would open the keyboard, and not in a
 * panel that opened automatically, because the focus belongs to the host page.
 */
function useFocusOnOpen(state: ChatState, composer: { current: HTMLTextAreaElement | null }, isInPanel: boolean): void {
  const { isOpen } = state;
  const wasOpen = useRef(false);
  useEffect(() => {
    const isOpening = isOpen && !wasOpen.current;
    wasOpen.current = isOpen;
    if (!isOpening || matchMedia('(pointer: coarse)').matches) return undefined;
    const focus = () => {
      if (document.activeElement === document.body || document.activeElement === null) composer.current?.focus();
    };
    if (document.hasFocus() || !isInPanel) {
      focus();
      return undefined;
    }
    addEventListener('focus', focus, { once: true });
    return () => removeEventListener('focus', focus);
  }, [isOpen]);
}
