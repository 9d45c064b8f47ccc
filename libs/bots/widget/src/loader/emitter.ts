export type Listener = (detail?: unknown) => void;

export interface Emitter {
  on(event: string, listener: Listener): void;
  off(event: string, listener?: Listener): void;
  emit(event: string, detail?: unknown): void;
  clear(): void;
}

/** Calls listeners asynchronously, so that an error in a listener does not affect the widget. */
export function createEmitter(): Emitter {
  const listeners = new Map<string, Set<Listener>>();
  return {
    on(event, listener) {
      if (typeof listener !== 'function') return;
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off(event, listener) {
      if (listener) listeners.get(event)?.delete(listener);
      else listeners.delete(event);
    },
    emit(event, detail) {
      for (const listener of listeners.get(event) ?? []) queueMicrotask(() => listener(detail));
    },
    clear: () => listeners.clear(),
  };
}
