import type { Message } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';
import { reduceChat, unreadOf, visibleOutbox } from './chat-reducer';
import { FRESH, type ChatEvent, type ChatState } from './chat-state';
import { formStateOf, quickRepliesOf, timelineOf } from './timeline';

const message = (id: string, change: Partial<Message> = {}): Message => ({
  id,
  role: 'assistant',
  content: id,
  contentType: 'text',
  metadata: {},
  createdAt: '2026-11-22T10:00:00Z',
  ...change,
});
const mine = (id: string, change: Partial<Message> = {}) => message(id, { role: 'user', ...change });
const entry = (text: string, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  key: `key-${text}`,
  text,
  action: null,
  form: null,
  createdAt: Date.parse('2026-11-22T10:00:00Z'),
  state: 'sending',
  error: null,
  failures: 0,
  retryAt: null,
  ...change,
});
const after = (...events: ChatEvent[]): ChatState => events.reduce(reduceChat, FRESH);
const ids = ({ messages }: ChatState) => messages.map(({ id }) => id);

describe('the messages of the chat', () => {
  it('are unique, regardless of how they arrive', () => {
    const state = after(
      { type: 'messages', messages: [mine('a'), message('b')] },
      { type: 'messages', messages: [message('b')] },
      { type: 'messages', messages: [mine('a'), message('c'), message('c')] },
    );
    expect(ids(state)).toEqual(['a', 'b', 'c']);
  });

  it('are sorted by time, and by arrival for equal times', () => {
    const state = after(
      { type: 'messages', messages: [message('late', { createdAt: '2026-11-22T10:00:02Z' })] },
      { type: 'messages', messages: [mine('early', { createdAt: '2026-11-22T10:00:01.5Z' })] },
      { type: 'messages', messages: [message('same', { createdAt: '2026-11-22T10:00:02Z' })] },
    );
    expect(ids(state)).toEqual(['early', 'late', 'same']);
  });

  it('replace messages in the outbox, even if the stream is faster than the response', () => {
    const sending = after({ type: 'outbox', entries: [entry('hello')] });
    const streamed = reduceChat(sending, { type: 'messages', messages: [mine('m1', { content: 'hello' })] });
    expect(visibleOutbox(streamed)).toEqual([]);
    expect(streamed.keys).toEqual({ m1: 'key-hello' });
    const answered = reduceChat(streamed, {
      type: 'messages',
      messages: [mine('m1', { content: 'hello' }), message('m2')],
      answered: 'key-hello',
    });
    expect(ids(answered)).toEqual(['m1', 'm2']);
    expect(timelineOf(answered, '', 60).map(({ key }) => key)).toContain('key-hello');
  });

  it('do not replace a message in the outbox that has a different text', () => {
    const sending = after({ type: 'outbox', entries: [entry('hello')] });
    const state = reduceChat(sending, { type: 'messages', messages: [mine('m1', { content: 'other' })] });
    expect(visibleOutbox(state)).toHaveLength(1);
  });
});

describe('a reply that is being streamed', () => {
  const writing = after(
    { type: 'outbox', entries: [entry('hello')] },
    { type: 'typing', key: 'key-hello' },
    { type: 'delta', key: 'key-hello', text: 'Well' },
    { type: 'delta', key: 'key-hello', text: ', yes' },
  );

  it('is extended by each part', () => {
    expect(writing.draft?.text).toBe('Well, yes');
  });

  it('is replaced by the complete reply of the stream or the response, and later parts are ignored', () => {
    const state = reduceChat(writing, { type: 'messages', messages: [message('m2', { content: 'Well, yes.' })] });
    expect(state).toMatchObject({ draft: null, typingFor: null });
    expect(reduceChat(state, { type: 'delta', key: 'key-hello', text: '.' }).draft).toBeNull();
  });

  it('is not expected after it arrived through the event stream', () => {
    const state = after(
      { type: 'outbox', entries: [entry('hello')] },
      { type: 'messages', messages: [mine('m1', { content: 'hello' }), message('m2')] },
      { type: 'typing', key: 'key-hello' },
      { type: 'delta', key: 'key-hello', text: 'm' },
    );
    expect(state).toMatchObject({ draft: null, typingFor: null });
  });

  it('is discarded when its message is sent again', () => {
    const state = reduceChat(writing, { type: 'outbox', entries: [entry('hello', { state: 'waiting' })] });
    expect(state).toMatchObject({ draft: null, typingFor: null });
  });

  it('is not expected during a takeover', () => {
    const paused = after(
      { type: 'messages', messages: [], isPaused: true },
      { type: 'outbox', entries: [entry('hello')] },
      { type: 'typing', key: 'key-hello' },
    );
    expect(paused.typingFor).toBeNull();
  });
});

describe('unread messages', () => {
  it('are the messages of others after the last read message', () => {
    const state = after(
      { type: 'messages', messages: [mine('a'), message('b')] },
      { type: 'seen', id: 'b' },
      { type: 'messages', messages: [mine('c'), message('d'), message('e')] },
    );
    expect(unreadOf(state).map(({ id }) => id)).toEqual(['d', 'e']);
  });
});

describe('quick replies and forms', () => {
  const chips = [{ id: 'q', label: 'Q', type: 'faq', action: { type: 'faq', id: 'q' } }];
  const form = { id: 'f', title: 'F', fields: [] };

  it('are offered for the last message until another message is sent', () => {
    const offered = after({ type: 'messages', messages: [message('a', { quickReplies: chips })] });
    expect(quickRepliesOf(offered)).toEqual(chips);
    expect(quickRepliesOf(reduceChat(offered, { type: 'outbox', entries: [entry('x')] }))).toEqual([]);
    expect(quickRepliesOf(reduceChat(offered, { type: 'messages', messages: [mine('b')] }))).toEqual([]);
  });

  it('are marked when a form is submitted or offered again', () => {
    const first = message('a', { form });
    expect(formStateOf([first, mine('b')], first, form).status).toBe('open');
    const notice = mine('c', { contentType: 'form', metadata: { formId: 'f' } });
    expect(formStateOf([first, notice], first, form).status).toBe('submitted');
    expect(formStateOf([first, { ...notice, metadata: { formId: 'g' } }], first, form).status).toBe('open');
    expect(formStateOf([first, message('d', { form }), notice], first, form).status).toBe('superseded');
  });
});

describe('the timeline', () => {
  it('groups consecutive messages of an author, and has a heading for each day', () => {
    const state = after({
      type: 'messages',
      messages: [
        mine('a', { createdAt: '2026-11-20T12:00:00Z' }),
        mine('b', { createdAt: '2026-11-20T12:01:00Z' }),
        message('c', { createdAt: '2026-11-20T12:01:01Z' }),
        message('d', { createdAt: '2026-11-22T12:00:00Z' }),
      ],
    });
    const lines = timelineOf(state, 'Hi', 60).map((item) =>
      item.kind === 'day' ? 'day' : `${item.key}${item.isFirst ? ' first' : ''}${item.isLast ? ' last' : ''}`,
    );
    expect(lines).toEqual(['day', 'greeting first last', 'a first', 'b last', 'c first last', 'day', 'd first last']);
  });

  it('contains the newest messages, and the greeting only above the oldest one', () => {
    const messages = Array.from({ length: 100 }, (_, index) => message(`m${index}`));
    const state = after({ type: 'messages', messages });
    const shown = timelineOf(state, 'Hi', 60);
    expect(shown.filter(({ kind }) => kind === 'message')).toHaveLength(60);
    expect(shown.some(({ kind }) => kind === 'greeting')).toBe(false);
    expect(timelineOf(state, 'Hi', 120).some(({ kind }) => kind === 'greeting')).toBe(true);
  });
});
