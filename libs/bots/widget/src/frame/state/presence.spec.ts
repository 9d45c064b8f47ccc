import type { Message } from '../api/records';
import type { OutboxEntry } from '../sending/outbox';
import { FRESH, type ChatState } from './chat-state';
import { presenceOf } from './presence';

const CONVERSATION = { id: 'c', status: 'open', channel: 'web' } as const;

const message = (metadata: Message['metadata']): Message => ({
  id: JSON.stringify(metadata),
  role: 'assistant',
  content: 'x',
  contentType: 'text',
  metadata,
  createdAt: '2026-11-20T10:00:00Z',
});
const entry = (more: Partial<OutboxEntry>): OutboxEntry => ({
  key: 'k',
  text: 'x',
  action: null,
  form: null,
  createdAt: 0,
  state: 'waiting',
  error: 'NO_CONNECTION',
  failures: 1,
  retryAt: 1,
  ...more,
});
const presence = (more: Partial<ChatState>) =>
  presenceOf({ ...FRESH, phase: 'ready', conversation: CONVERSATION, ...more });

const BOT = message({ author: 'bot', via: 'faq' });
const REQUEST = message({ author: 'bot', via: 'handoff' });
const MAYA = message({ author: 'agent', agentName: 'Maya' });

describe('who answers', () => {
  it('is the bot, also before the first message', () => {
    expect(presenceOf(FRESH)).toEqual({ kind: 'bot' });
    expect(presence({ messages: [BOT] })).toEqual({ kind: 'bot' });
  });

  it('is the agent who has taken over, by name as soon as the agent has written', () => {
    expect(presence({ isPaused: true, messages: [REQUEST] })).toEqual({ kind: 'person', name: null });
    expect(presence({ isPaused: true, messages: [REQUEST, MAYA] })).toEqual({ kind: 'person', name: 'Maya' });
  });

  it('is the team after a request for a person, until an agent has answered', () => {
    expect(presence({ messages: [REQUEST, BOT] })).toEqual({ kind: 'waiting' });
    expect(presence({ messages: [REQUEST, MAYA, BOT] })).toEqual({ kind: 'bot' });
  });

  it.each([
    ['the browser is offline', { isOnline: false }],
    ['updates fail', { isReachable: false }],
    ['the conversation cannot be loaded', { phase: 'unreachable' as const }],
    ['a message cannot be delivered', { outbox: [entry({})] }],
    ['a message is sent again', { outbox: [entry({ state: 'sending', error: 'HTTP_503' })] }],
  ])('is nobody while there is no connection: %s', (_, more) => {
    expect(presence({ isPaused: true, messages: [MAYA], ...more })).toEqual({ kind: 'away' });
  });

  it('is still the bot if it has refused a message or asks to wait', () => {
    expect(presence({ outbox: [entry({ error: 'RATE_LIMITED' })] })).toEqual({ kind: 'bot' });
    expect(presence({ outbox: [entry({ state: 'failed', error: 'INVALID_REQUEST' })] })).toEqual({ kind: 'bot' });
  });

  it('is unknown until the conversation is loaded, and nobody after its end', () => {
    expect(presence({ phase: 'restoring', conversation: null })).toBeNull();
    expect(presence({ phase: 'unavailable' })).toBeNull();
    expect(presence({ conversation: { ...CONVERSATION, status: 'ended' } })).toBeNull();
  });
});
