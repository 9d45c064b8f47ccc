import { ApiError, toApiError } from '../api/api-error';
import type { ChatClient, Session } from '../api/chat-client';
import type { Action, ClientContext, Conversation, FieldError, Message, Shortcut } from '../api/records';
import { chatEventOf } from '../live/chat-event-of';
import { LiveUpdates } from '../live/live-updates';
import { backOffMs } from '../sending/back-off';
import { Outbox, type OutboxEntry } from '../sending/outbox';
import type { ChatStorage } from './chat-storage';
import type { ChatStore } from './chat-store';
import { lastOf } from './last';
import { Transcript } from './transcript';

/** The typing indicator ends if no data arrives for this long. */
const TYPING_MS = 6_000;
/** Number of times in a row that a rejected token starts a new conversation. */
const MAX_BEGINNINGS = 2;

export interface SessionOptions {
  botId: string;
  client: ChatClient;
  storage: ChatStorage;
  store: ChatStore;
  /** The context of a new conversation. */
  context(): { channel: string; client: ClientContext };
  newKey(): string;
}

/**
 * The conversation of this page: starts it with the first message of the visitor, stores it, and keeps it up to date.
 */
export class ChatSession {
  readonly outbox: Outbox;
  private session: Session | null = null;
  private transcript: Transcript | null = null;
  private readonly live: LiveUpdates;
  private typingTimer: ReturnType<typeof setTimeout> | undefined;
  private restoreTimer: ReturnType<typeof setTimeout> | undefined;
  /** Callbacks that show validation errors of the server in the form. */
  private readonly formErrors = new Map<string, (errors: FieldError[], error: ApiError) => void>();

  constructor(private readonly options: SessionOptions) {
    const { storage, store } = options;
    this.outbox = new Outbox({
      deliver: (entry) => this.deliver(entry),
      refused: (entry, error) => this.remedy(entry, error),
      changed: (entries) => {
        storage.keepOutbox(entries);
        store.dispatch({ type: 'outbox', entries });
      },
      isOnline: () => navigator.onLine,
    });
    this.live = new LiveUpdates({
      openStream: (signal) => this.options.client.events(this.existing(), this.lastId(), signal),
      hasCursor: () => this.lastId() !== null,
      onEvent: (event) => {
        const change = chatEventOf(event, store.state.conversation);
        if (change) store.dispatch(change);
      },
      poll: () => this.catchUp(),
      onReachable: (isReachable) => store.dispatch({ type: 'reachable', isReachable }),
      onUnauthenticated: () => this.forget(),
    });
    storage.onOtherTab(() => this.followOtherTab());
    for (const type of ['online', 'offline']) addEventListener(type, () => this.watchConnection());
    this.watchConnection();
  }

  /** Restores the stored conversation, if there is one. */
  resume(): void {
    const stored = this.options.storage.chat();
    if (stored) this.restore({ id: stored.id, token: stored.token }, 1);
    else this.outbox.restore(this.options.storage.outbox());
  }

  send(text: string, action: Action | null = null): void {
    this.outbox.add({ key: this.options.newKey(), text, action, form: null });
  }

  sendShortcut({ id, label, command }: Shortcut): void {
    this.send(label, { type: 'shortcut', id, command });
  }

  /** `onRefused` receives the validation errors of the server; the form can then be submitted again. */
  submit(
    form: { id: string; title: string },
    answers: Record<string, string>,
    onRefused: (errors: FieldError[], error: ApiError) => void,
  ): void {
    const key = this.options.newKey();
    this.formErrors.set(key, onRefused);
    this.outbox.add({ key, text: form.title, action: null, form: { formId: form.id, answers } });
  }

  /** Rejects with an {@link ApiError}. */
  async end(): Promise<void> {
    await this.change((session) => this.options.client.end(session));
  }

  /** Rejects with an {@link ApiError}. */
  async reopen(): Promise<void> {
    await this.change((session) => this.options.client.reopen(session));
    this.outbox.retryRefused('CONVERSATION_CLOSED');
  }

  /** Rejects with an {@link ApiError}. */
  async rate(rating: number, message: string): Promise<void> {
    await this.change(async (session) => {
      const { feedback } = await this.options.client.rate(session, rating, message);
      return { conversation: { ...this.conversation(), feedback } };
    });
  }

  /** Discards the conversation; the next message of the visitor starts a new one. */
  startNew(): void {
    for (const { key, error, form } of this.outbox.pending) {
      // Messages that the closed conversation rejected become the start of the new one.
      if (error !== 'CONVERSATION_CLOSED' || form) this.outbox.remove(key);
    }
    this.forget();
    this.outbox.retryRefused('CONVERSATION_CLOSED');
  }

  setOpen(isOpen: boolean): void {
    this.live.setOpen(isOpen);
  }

  /** Marks a message as seen by the visitor. */
  markSeen(id: string): void {
    const { storage, store } = this.options;
    if (store.state.seen === id) return;
    store.dispatch({ type: 'seen', id });
    const stored = storage.chat();
    if (stored && stored.id === this.session?.id) storage.keepChat({ ...stored, seen: id });
  }

  private restore(session: Session, tries: number): void {
    const { client, store } = this.options;
    clearTimeout(this.restoreTimer);
    this.session = session;
    this.transcript = new Transcript(client, session);
    if (tries === 1) store.dispatch({ type: 'restoring' });
    Promise.all([client.conversation(session), this.transcript.read()]).then(
      ([{ conversation, paused }, messages]) => {
        if (this.session !== session) return;
        const { shortcuts, seen } = this.options.storage.chat() ?? { shortcuts: [], seen: null };
        store.dispatch({ type: 'restored', conversation, isPaused: paused ?? null, messages, shortcuts, seen });
        this.live.start();
        if (this.outbox.pending.length === 0) this.outbox.restore(this.options.storage.outbox());
      },
      (caught) => {
        if (this.session !== session) return;
        const error = toApiError(caught);
        if (error.isUnauthenticated || error.status === 404) {
          this.forget();
          this.outbox.restore(this.options.storage.outbox());
          return;
        }
        store.dispatch({ type: 'unreachable' });
        const waitMs = backOffMs(tries, error.retryAfterMs, Math.random());
        this.restoreTimer = setTimeout(() => this.restore(session, tries + 1), waitMs);
      },
    );
  }

  private async deliver(entry: OutboxEntry): Promise<void> {
    const { client, store } = this.options;
    const session = this.session ?? (await this.start());
    this.showTyping(entry.key);
    if (entry.form) {
      const { formId, answers } = entry.form;
      const { userMessage, reply } = await client.submit(session, formId, answers, entry.key);
      store.dispatch({ type: 'messages', messages: together(userMessage, reply), answered: entry.key });
      this.formErrors.delete(entry.key);
      return;
    }
    const { userMessage, reply, paused } = await client.send(
      session,
      entry,
      (text) => store.dispatch({ type: 'delta', key: entry.key, text }),
      () => this.showTyping(entry.key),
    );
    const messages = together(userMessage, reply);
    store.dispatch({ type: 'messages', messages, isPaused: paused, answered: entry.key });
  }

  private async start(): Promise<Session> {
    const { botId, client, storage, store, context } = this.options;
    const { channel, client: about } = context();
    const { conversation, conversationToken, shortcuts } = await client.start(botId, channel, about);
    const session = { id: conversation.id, token: conversationToken };
    this.session = session;
    this.transcript = new Transcript(client, session);
    storage.keepChat({ ...session, shortcuts, seen: null });
    store.dispatch({ type: 'started', conversation, shortcuts });
    this.live.start();
    return session;
  }

  private remedy(entry: OutboxEntry, error: ApiError): Partial<OutboxEntry> | null {
    if (error.isUnauthenticated && entry.failures < MAX_BEGINNINGS) {
      this.forget();
      return { error: null };
    }
    if (error.code === 'BOT_UNAVAILABLE') this.options.store.dispatch({ type: 'unavailable' });
    if (error.code === 'CONVERSATION_CLOSED') void this.refreshConversation();
    // The old key stores the rejection, so a message that can be sent again needs a new key.
    const key = this.options.newKey();
    if (error.code === 'BOT_UNAVAILABLE' && !entry.form) return { state: 'failed', key };
    // The action of the chip is no longer valid, so its label is sent as a question.
    if (error.code === 'INVALID_ACTION' && entry.action) return { action: null, key, error: null };
    if (entry.form && error.code !== 'CONVERSATION_CLOSED') {
      this.formErrors.get(entry.key)?.(error.fields, error);
      this.formErrors.delete(entry.key);
      queueMicrotask(() => this.outbox.remove(entry.key));
    }
    return null;
  }

  private showTyping(key: string): void {
    const { store } = this.options;
    store.dispatch({ type: 'typing', key });
    clearTimeout(this.typingTimer);
    this.typingTimer = setTimeout(() => store.dispatch({ type: 'quiet', key }), TYPING_MS);
  }

  private async catchUp(): Promise<void> {
    const transcript = this.transcript;
    if (!transcript) return;
    const [messages] = await Promise.all([transcript.read(), this.refreshConversation()]);
    if (this.transcript === transcript) this.options.store.dispatch({ type: 'messages', messages });
  }

  private async refreshConversation(): Promise<void> {
    const session = this.session;
    if (!session) return;
    const { conversation, paused } = await this.options.client.conversation(session);
    if (this.session !== session) return;
    this.options.store.dispatch({ type: 'conversation', conversation, isPaused: paused });
  }

  private async change(call: (session: Session) => Promise<{ conversation: Conversation }>): Promise<void> {
    const session = this.existing();
    try {
      const { conversation } = await call(session);
      if (this.session === session) this.options.store.dispatch({ type: 'conversation', conversation });
    } catch (caught) {
      const error = toApiError(caught);
      if (error.isUnauthenticated) this.forget();
      throw error;
    }
  }

  private forget(): void {
    const { storage, store } = this.options;
    clearTimeout(this.restoreTimer);
    this.live.stop();
    // Another tab may have started a new conversation in the meantime.
    if (storage.chat()?.id === this.session?.id) storage.keepChat(null);
    this.session = null;
    this.transcript = null;
    store.dispatch({ type: 'forgotten' });
  }

  private followOtherTab(): void {
    const stored = this.options.storage.chat();
    if (stored?.id === this.session?.id) {
      if (stored?.seen) this.options.store.dispatch({ type: 'seen', id: stored.seen });
      return;
    }
    this.live.stop();
    this.session = null;
    this.transcript = null;
    this.options.store.dispatch({ type: 'forgotten' });
    if (stored) this.restore({ id: stored.id, token: stored.token }, 1);
  }

  private watchConnection(): void {
    const isOnline = navigator.onLine;
    this.options.store.dispatch({ type: 'online', isOnline });
    if (isOnline) this.outbox.retry();
  }

  private existing(): Session {
    if (!this.session) throw new ApiError(0, 'NO_CONVERSATION', 'Send a message first.');
    return this.session;
  }

  private conversation(): Conversation {
    const { conversation } = this.options.store.state;
    if (!conversation) throw new ApiError(0, 'NO_CONVERSATION', 'Send a message first.');
    return conversation;
  }

  private lastId(): string | null {
    return lastOf(this.options.store.state.messages)?.id ?? null;
  }
}

const together = (userMessage: Message, reply: Message | null): Message[] =>
  reply ? [userMessage, reply] : [userMessage];
