import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../state/chat-state';
import { formStateOf, timelineOf } from '../../state/timeline';
import { dayOf } from '../../text/format-time';
import { useChat } from '../chat-context';
import { DownIcon } from '../icons';
import { MessageRow } from './message-row';
import { Choices, type ChoiceList } from './choices';
import { Draft, Typing } from './typing';

/** Number of messages rendered initially, and added each time the visitor scrolls to the top. */
const WINDOW = 60;
/** Within this distance from the end, in pixels, the view scrolls to new messages. */
const NEAR = 80;
/** Space above a message that is shown from its beginning, in pixels. */
const MARGIN = 16;

interface Props {
  state: ChatState;
  greeting: string;
  /** There are no messages yet: the greeting is shown large, with the choices below it. */
  isHome: boolean;
  choices: ChoiceList[];
}

/** The scrollable area: messages, the typing indicator and the choices. */
export function Conversation({ state, greeting, isHome, choices }: Props): JSX.Element {
  const { ui } = useChat();
  const { strings, locale } = ui;
  const [limit, setLimit] = useState(WINDOW);
  const items = useMemo(() => timelineOf(state, greeting, limit), [state, greeting, limit]);
  const hasMore = state.messages.length > limit;
  const scroll = useFollow(state, limit);
  // Screen readers announce only messages that are added after the first render.
  const isQuiet = useQuiet(`${state.conversation?.id} ${state.phase} ${limit}`);
  const isOpen = state.conversation === null || state.conversation.status === 'open';

  const onScroll = () => {
    scroll.watch();
    if (hasMore && scroll.isAtTop()) {
      scroll.keepPlace();
      setLimit(limit + WINDOW);
    }
  };
  return (
    <div class="middle">
      <div
        class="scroll"
        ref={scroll.element}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={strings.conversation}
      >
        <div class={`content${isHome ? ' is-home' : ''}`} ref={scroll.content}>
          {state.phase === 'restoring' && <Restoring text={strings.restoring} />}
          <div class="log" role="log" aria-label={strings.conversation} aria-live={isQuiet ? 'off' : 'polite'}>
            {items.map((item) =>
              item.kind === 'day' ? (
                <div class="day" key={item.key}>
                  {dayOf(item.date, locale)}
                </div>
              ) : (
                <MessageRow
                  key={item.key}
                  item={item}
                  formState={
                    item.kind === 'message' && item.message.form
                      ? formStateOf(state.messages, item.message, item.message.form)
                      : null
                  }
                  submission={
                    item.kind === 'message' && item.message.form
                      ? (state.outbox.find(({ form }) => form?.formId === item.message.form?.id) ?? null)
                      : null
                  }
                  isConversationOpen={isOpen}
                />
              ),
            )}
          </div>
          <Draft draft={state.draft} />
          <Typing isTyping={state.typingFor !== null && !state.draft} />
          {choices.map((list) => (
            <Choices key={list.label} {...list} />
          ))}
        </div>
      </div>
      {scroll.hasNews && (
        <button type="button" class="to-end" onClick={scroll.toEnd}>
          <DownIcon />
          {strings.newMessages}
        </button>
      )}
    </div>
  );
}

function Restoring({ text }: { text: string }): JSX.Element {
  return (
    <div class="restoring" role="status">
      <span class="hidden">{text}</span>
      <span class="shade" />
      <span class="shade shade-end" />
      <span class="shade" />
    </div>
  );
}

/** True for a moment after `subject` changes, until its messages are rendered. */
function useQuiet(subject: string): boolean {
  const [loudFor, setLoudFor] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLoudFor(subject), 300);
    return () => clearTimeout(timer);
  }, [subject]);
  return loudFor !== subject;
}

/**
 * Keeps the view at the end while the visitor is there, and keeps the position while the visitor reads older messages.
 */
function useFollow(state: ChatState, limit: number) {
  const element = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const fromEnd = useRef<number | null>(null);
  const [hasNews, setNews] = useState(false);
  const pendingCount = state.outbox.length;
  const lastId = state.messages[state.messages.length - 1]?.id;
  // Before the first message, the greeting stays in view.
  const isTalk = useRef(false);
  isTalk.current = lastId !== undefined || pendingCount > 0;

  const toEnd = () => {
    const box = element.current;
    if (box) box.scrollTop = box.scrollHeight;
    isAtEnd.current = true;
    setNews(false);
  };
  // A message that is taller than the view is shown from its beginning.
  const toNewest = () => {
    toEnd();
    const box = element.current;
    const row = box?.querySelector<HTMLElement>('.log > :last-child');
    if (!box || !row || row.offsetHeight <= box.clientHeight - MARGIN) return;
    box.scrollTop = row.offsetTop - MARGIN;
    isAtEnd.current = false;
  };
  // Older messages are inserted above, so the position is kept as a distance from the end.
  useLayoutEffect(() => {
    const box = element.current;
    if (box && fromEnd.current !== null) box.scrollTop = box.scrollHeight - fromEnd.current;
    fromEnd.current = null;
  }, [limit]);
  useLayoutEffect(() => {
    if (!isTalk.current) return;
    if (isAtEnd.current) toNewest();
    else if (lastId !== undefined) setNews(true);
  }, [lastId]);
  useLayoutEffect(() => {
    if (pendingCount > 0) toEnd();
  }, [pendingCount]);
  useEffect(() => {
    const box = element.current;
    if (!box || !content.current) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && isTalk.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return {
    element,
    content,
    hasNews,
    toEnd,
    watch: () => {
      const box = element.current;
      if (!box) return;
      isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      if (isAtEnd.current) setNews(false);
    },
    isAtTop: () => (element.current?.scrollTop ?? 0) < NEAR * 2,
    keepPlace: () => {
      const box = element.current;
      if (box) fromEnd.current = box.scrollHeight - box.scrollTop;
    },
  };
}
