import { PROTOCOL_VERSION, type FrameInit, type ToFrame, type ToLoader, type VisitorTraits } from '../protocol';

/** A frame that no loader has greeted for so long stands in a page of its own making, and is open. */
const ALONE_MS = 2_000;

/** What the page around the chat tells of itself and its visitor. */
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
  /** Whether there is a panel that can be closed. */
  readonly isInPanel: boolean;
  readonly view: HostView;
  /** Calls back at every change of the view. */
  onChange(callback: (view: HostView) => void): void;
  tell(message: ToLoader): void;
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
 * Greets the loader: posts a bare `ready` to the parent and takes one `init` with a port from the parent alone.
 * Everything else comes over that port. Without a parent the chat is a page of its own.
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
  // What is told before the loader has answered is told then.
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
    // It carries nothing, so anybody may hear it; the answer is what is checked.
    window.parent.postMessage({ heliograph: PROTOCOL_VERSION, type: 'ready' }, '*');
  }

  return {
    isInPanel,
    get view() {
      return view;
    },
    onChange: (callback) => void callbacks.push(callback),
    tell: (message) => (port ? port.postMessage(message) : void (isInPanel && unsent.push(message))),
  };
}

/** Any version from the first: what a side does not know it ignores. */
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
