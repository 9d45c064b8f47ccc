import type { InlineForm, Message, QuickReply } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';
import { visibleOutbox } from './chat-reducer';
import { isByAgent, type ChatState } from './chat-state';
import { lastOf } from './last';

/** One item of the rendered conversation. */
export type TimelineItem =
  | { kind: 'day'; key: string; date: Date }
  | { kind: 'greeting'; key: string; text: string; isFirst: boolean; isLast: boolean }
  | { kind: 'message'; key: string; message: Message; isFirst: boolean; isLast: boolean; entry: null }
  | { kind: 'pending'; key: string; entry: OutboxEntry; isFirst: boolean; isLast: boolean };

/** Messages of one author within this time form a group. */
const GROUP_MS = 5 * 60_000;

interface Line {
  item: TimelineItem;
  author: string;
  at: number;
}

/**
 * The newest `limit` messages with day headings and groups, followed by the outbox; starts with the greeting if all
 * messages are included.
 */
export function timelineOf(state: ChatState, greeting: string, limit: number): TimelineItem[] {
  const shown = state.messages.slice(-limit);
  const lines: Line[] = [];
  if (shown.length === state.messages.length && greeting !== '' && state.phase !== 'restoring') {
    const at = shown[0] ? Date.parse(shown[0].createdAt) : NaN;
    const item = { kind: 'greeting', key: 'greeting', text: greeting, isFirst: true, isLast: true } as const;
    lines.push({ item: { ...item }, author: 'bot', at });
  }
  let day = '';
  for (const message of shown) {
    const date = new Date(message.createdAt);
    const at = date.getTime();
    if (!Number.isNaN(at) && date.toDateString() !== day) {
      day = date.toDateString();
      const dayLine: Line = { item: { kind: 'day', key: `day-${day}`, date }, author: '', at };
      // The greeting has the date of the first message.
      if (lines[0]?.item.kind === 'greeting' && lines.length === 1) lines.unshift(dayLine);
      else lines.push(dayLine);
    }
    const key = state.keys[message.id] ?? message.id;
    const item: TimelineItem = { kind: 'message', key, message, isFirst: true, isLast: true, entry: null };
    lines.push({ item, author: authorOf(message), at });
  }
  for (const entry of visibleOutbox(state)) {
    const item: TimelineItem = { kind: 'pending', key: entry.key, entry, isFirst: true, isLast: true };
    lines.push({ item, author: 'user', at: entry.createdAt });
  }
  return group(lines);
}

function group(lines: Line[]): TimelineItem[] {
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    const { item } = line;
    if (!before || item.kind === 'day' || before.item.kind === 'day') return;
    const isNear = Number.isNaN(before.at) || line.at - before.at < GROUP_MS;
    if (before.author !== line.author || !isNear) return;
    item.isFirst = false;
    before.item.isLast = false;
  });
  return lines.map(({ item }) => item);
}

const authorOf = (message: Message): string => {
  if (message.role === 'user') return 'user';
  return isByAgent(message) ? `agent ${message.metadata.agentName ?? ''}` : 'bot';
};

/** The quick replies of the last message, if nothing was sent after it. */
export function quickRepliesOf(state: ChatState): QuickReply[] {
  const last = lastOf(state.messages);
  if (state.outbox.length > 0 || last?.role !== 'assistant') return [];
  return last.quickReplies ?? [];
}

/** The state of a form; `notice` is the message with its answers. */
export type FormState = { status: 'open' | 'superseded' } | { status: 'submitted'; notice: Message };

/** The state of the form in a message. */
export function formStateOf(messages: Message[], message: Message, form: InlineForm): FormState {
  const later = messages.slice(messages.findIndex(({ id }) => id === message.id) + 1);
  for (const next of later) {
    if (next.role === 'user' && next.contentType === 'form' && isOfForm(next, form)) {
      return { status: 'submitted', notice: next };
    }
    if (next.form?.id === form.id) return { status: 'superseded' };
  }
  return { status: 'open' };
}

const isOfForm = ({ metadata }: Message, form: InlineForm): boolean =>
  metadata?.formId === undefined || metadata.formId === form.id;
