import {
  PROTOCOL_VERSION,
  type FrameInit,
  type FrameReady,
  type ToFrame,
  type ToLoader,
  type VisitorTraits,
} from '../protocol';

/**
 * If no loader has answered after this time, the site embeds the frame without a loader, and the chat is shown as open.
 */
const ALONE_MS = 2_000;

/** Information from the host page about itself and its visitor. */
export interface HostView {
  color: string | null;
  greeting: string | null;
  channel: 'web' | 'hosted';
  pageUrl: string;
  referrer: string;
  language: string;
  isOpen: boolean;
  isFullScreen: boolean;
  traits: VisitorTraits;
}

export interface HostBridge {
  /** Whether the chat is in a panel that can be closed. */
  readonly isInPanel: boolean;
  readonly view: HostView;
  /** Registers a callback for every change of the view. */
  onChange(callback: (view: HostView) => void): void;
  send(message: ToLoader): void;
}

const ownView = (mode: 'frame' | 'hosted'): HostView => ({
  color: null,
  greeting: null,
  channel: mode === 'hosted' ? 'hosted' : 'web',
  pageUrl: location.href,
  referrer: document.referrer,
  language: navigator.language,
  isOpen: true,
  isFullScreen: false,
  traits: {},
});

/**
 * Opens the connection to the loader: posts `ready` to the parent window and accepts one `init` message with a port,
 * only from the parent window. All other messages use that port. Without a parent window, the chat is a page of its
 * own.
 */
export function connectToHost(mode: 'frame' | 'hosted'): HostBridge {
  let view = ownView(mode);
  let port: MessagePort | null = null;
  const callbacks: ((view: HostView) => void)[] = [];
  const change = (next: Partial<HostView>) => {
    view = { ...view, ...next };
    for (const callback of callbacks) callback(view);
  };
  const isInPanel = mode === 'frame' && window.parent !== window;
  // Messages sent before the loader has answered; they are delivered afterwards.
  const unsent: ToLoader[] = [];

  if (isInPanel) {
    view = { ...view, isOpen: false };
    const alone = setTimeout(() => change({ isOpen: true }), ALONE_MS);
    addEventListener('message', (event: MessageEvent<unknown>) => {
      if (port || event.source !== window.parent || !isInit(event.data) || !event.ports[0]) return;
      clearTimeout(alone);
      port = event.ports[0];
      port.onmessage = ({ data }: MessageEvent<unknown>) => change(viewOf(data, view));
      for (const message of unsent.splice(0)) port.postMessage(message);
      change(viewOfInit(event.data));
    });
    // The message contains no data, so any origin may receive it; the answer is validated.
    const ready: FrameReady = { heliograph: PROTOCOL_VERSION, type: 'ready' };
    window.parent.postMessage(ready, '*');
  }

  return {
    isInPanel,
    get view() {
      return view;
    },
    onChange: (callback) => void callbacks.push(callback),
    send: (message) => (port ? port.postMessage(message) : void (isInPanel && unsent.push(message))),
  };
}

/** Accepts any version from 1 on, because unknown fields are ignored. */
function isInit(data: unknown): data is FrameInit {
  if (typeof data !== 'object' || data === null) return false;
  const { heliograph, type } = data as Partial<Record<keyof FrameInit, unknown>>;
  return typeof heliograph === 'number' && heliograph >= 1 && type === 'init';
}

function viewOfInit(init: Partial<FrameInit>): Partial<HostView> {
  return {
    color: text(init.color) ?? null,
    greeting: text(init.greeting) ?? null,
    channel: init.channel === 'hosted' ? 'hosted' : 'web',
    pageUrl: text(init.pageUrl) ?? '',
    referrer: text(init.referrer) ?? '',
    language: text(init.language) ?? navigator.language,
    isOpen: init.isOpen === true,
    isFullScreen: init.isFullScreen === true,
  };
}

function viewOf(data: unknown, view: HostView): Partial<HostView> {
  if (typeof data !== 'object' || data === null) return {};
  const message = data as Partial<ToFrame>;
  if (message.type === 'visible') {
    return { isOpen: message.isOpen === true, isFullScreen: message.isFullScreen === true };
  }
  if (message.type === 'page') {
    return { pageUrl: text(message.pageUrl) ?? view.pageUrl, referrer: text(message.referrer) ?? view.referrer };
  }
  if (message.type === 'identify') {
    const { name, email, phone } = (message.traits ?? {}) as Record<string, unknown>;
    return { traits: { name: text(name), email: text(email), phone: text(phone) } };
  }
  return {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
