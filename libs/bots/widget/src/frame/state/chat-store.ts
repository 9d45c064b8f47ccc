import { reduceChat } from './chat-reducer';
import { FRESH, type ChatEvent, type ChatState } from './chat-state';

/** Holds the state of the chat and notifies subscribers once per microtask, after all its events. */
export class ChatStore {
  private current: ChatState = FRESH;
  private readonly listeners = new Set<(state: ChatState) => void>();
  private isScheduled = false;

  get state(): ChatState {
    return this.current;
  }

  dispatch(event: ChatEvent): void {
    const next = reduceChat(this.current, event);
    if (next === this.current) return;
    this.current = next;
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      for (const listener of this.listeners) listener(this.current);
    });
  }

  subscribe(listener: (state: ChatState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
