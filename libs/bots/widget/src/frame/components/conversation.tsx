import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../state/chat-state';
import { fateOf, timelineOf } from '../state/timeline';
import { dayOf } from '../text/format-time';
import { useChat } from './chat-context';
import { DownIcon } from './icons';
import { MessageRow } from './message-row';
import { Choices, type ChoiceList } from './choices';
import { Draft, Typing } from './typing';

/** So many messages are drawn at first, and so many more whenever the visitor has scrolled to the top. */
const WINDOW = 60;
/** Nearer to the end than this, in pixels, new messages are scrolled to. */
const NEAR = 80;
/** Above a message that is read from its beginning, in pixels. */
const MARGIN = 16;

interface Props {
  state: ChatState;
  greeting: string;
  /** Nothing was said yet: the greeting is shown large, the choices below it. */
  isHome: boolean;
  choices: ChoiceList[];
}

/** The scrolled middle: what was said, what is being written, what can be chosen. */
export function Conversation({ state, greeting, isHome, choices }: Props): JSX.Element {
  const { ui } = useChat();
  const { strings, locale } = ui;
  const [limit, setLimit] = useState(WINDOW);
  const items = useMemo(() => timelineOf(state, greeting, limit), [state, greeting, limit]);
  const hasMore = state.messages.length > limit;
  const scroll = useFollow(state, limit);
  // What was said before is not news: the log speaks only of what comes after it was drawn.
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
                  fate={
                    item.kind === 'message' && item.message.form
                      ? fateOf(state.messages, item.message, item.message.form)
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

/** True from a change of `subject` until what it has drawn stands. */
function useQuiet(subject: string): boolean {
  const [loudFor, setLoudFor] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLoudFor(subject), 300);
    return () => clearTimeout(timer);
  }, [subject]);
  return loudFor !== subject;
}

/** Keeps the end in view while the visitor is there, their place while they read elsewhere. */
function useFollow(state: ChatState, limit: number) {
  const element = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const fromEnd = useRef<number | null>(null);
  const [hasNews, setNews] = useState(false);
  const pendingCount = state.outbox.length;
  const lastId = state.messages[state.messages.length - 1]?.id;
  // Before anything was said there is nothing to follow: the greeting stays in view, whatever stands below it.
  const isTalk = useRef(false);
  isTalk.current = lastId !== undefined || pendingCount > 0;

  const toEnd = () => {
    const box = element.current;
    if (box) box.scrollTop = box.scrollHeight;
    isAtEnd.current = true;
    setNews(false);
  };
  // What is taller than the view is read from its beginning.
  const toNewest = () => {
    toEnd();
    const box = element.current;
    const row = box?.querySelector<HTMLElement>('.log > :last-child');
    if (!box || !row || row.offsetHeight <= box.clientHeight - MARGIN) return;
    box.scrollTop = row.offsetTop - MARGIN;
    isAtEnd.current = false;
  };
  // Older messages push the rest down: the place is kept as a distance from the end.
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
