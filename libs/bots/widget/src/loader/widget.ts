import type { LauncherConfig, ToLoader, VisitorTraits } from '../protocol';
import type { Commands } from './commands';
import { createEmitter } from './emitter';
import { createFrame } from './frame';
import { createModal } from './modal';
import type { Options } from './options';
import { openSiteStorage } from './site-storage';
import { createTeaser } from './teaser';
import { ENGLISH } from './texts';
import { createView } from './view';
import { keepInPage, watchAddress } from './watch-page';

const DEFAULT_COLOR = '#4f46e5';
/** Phones in either orientation, and pages zoomed until they are as small. */
const SMALL_SCREEN = '(max-width: 480px), (max-height: 480px)';
/** The launcher stays hidden until its color is known, but at most this long. */
const COLOR_WITHIN_MS = 1_000;

/** Adds the widget to the page. `gone` is called after `destroy`. */
export function startWidget(options: Options, gone: () => void): Commands {
  const ending = new AbortController();
  const { signal } = ending;
  const { on, off, emit, clear } = createEmitter();
  const storage = openSiteStorage(options.botId);
  const view = createView(options.side);
  const { root, launcher, panel } = view;
  const setModal = createModal();
  const smallScreen = matchMedia(SMALL_SCREEN);
  let texts = ENGLISH;
  let isReady = false;
  let isOpen = false;
  let isHidden = false;
  let unread = 0;
  let traits: VisitorTraits | null = null;
  let cameFrom: Element | null = null;
  let pageUrl = location.href;
  let referrer = document.referrer;

  const teaser = createTeaser(view, storage, () => !isOpen && !isHidden && !smallScreen.matches, signal);
  const frame = createFrame({
    view,
    options,
    texts: () => texts,
    init: () => ({
      ...(options.color && { color: options.color }),
      ...(options.greeting && { greeting: options.greeting }),
      channel: options.channel,
      pageUrl,
      referrer,
      language: navigator.language,
      isOpen,
      isFullScreen: smallScreen.matches,
    }),
    greeted: () => traits && frame.send({ type: 'identify', traits }),
    received: receive,
  });

  function receive(message: ToLoader): void {
    switch (message.type) {
      case 'drawn':
        frame.drawn();
        if (isOpen && holdsFocus()) frame.focus();
        break;
      case 'close':
        close();
        break;
      case 'conversation':
        storage.set('c', !!message.exists);
        break;
      case 'message':
        emit('message', { role: message.role });
        break;
      case 'unread':
        setUnread(message);
        break;
    }
  }

  function setUnread({ count, preview }: { count: number; preview: string | null }): void {
    if (!Number.isSafeInteger(count) || count < 0 || count === unread) return;
    const isMore = count > unread;
    unread = count;
    view.badge.hidden = !count;
    view.badge.textContent = count > 9 ? '9+' : `${count}`;
    view.status.textContent = isMore && !isOpen ? unreadText() : '';
    if (isMore && preview) teaser.preview(`${preview}`);
    label();
    emit('unread', { count });
  }

  const unreadText = (): string => texts.unread.replace('{n}', `${unread}`);

  function label(): void {
    const name = isOpen ? texts.close : texts.open;
    launcher.setAttribute('aria-label', unread && !isOpen ? `${name}, ${unreadText()}` : name);
    launcher.setAttribute('aria-expanded', `${isOpen}`);
    view.dismiss.setAttribute('aria-label', texts.dismiss);
    view.close.setAttribute('aria-label', texts.close);
    view.link.textContent = texts.elsewhere;
    view.retry.textContent = texts.retry;
  }

  const holdsFocus = (): boolean => document.activeElement === view.host;

  function draw(): void {
    if (signal.aborted) return;
    const isFull = smallScreen.matches;
    root.classList.toggle('open', isOpen);
    root.classList.toggle('full', isFull);
    launcher.hidden = isHidden;
    panel.setAttribute('aria-modal', `${isFull}`);
    setModal(isOpen && isFull);
    fitViewport();
    label();
    frame.send({ type: 'visible', isOpen, isFullScreen: isFull });
  }

  /** Keeps the panel above the on-screen keyboard, which reduces only the visual viewport. */
  function fitViewport(): void {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const { offsetTop, height, scale } = visualViewport;
    const fits = isOpen && smallScreen.matches && scale < 1.01;
    root.style.setProperty('--top', fits ? `${offsetTop}px` : '');
    root.style.setProperty('--height', fits ? `${height}px` : '');
  }

  /** `takesFocus`: whether the panel was opened by the visitor or the site. */
  function show(takesFocus: boolean): void {
    if (isOpen || signal.aborted) return;
    cameFrom = document.activeElement;
    isOpen = true;
    teaser.hide();
    frame.load();
    draw();
    if (takesFocus) {
      panel.focus({ preventScroll: true });
      frame.focus();
    }
    emit('open');
  }

  function open(): void {
    show(true);
    if (isOpen) storage.keepPanel('open');
  }

  function close(): void {
    if (!isOpen) return;
    const hadFocus = holdsFocus();
    isOpen = false;
    storage.keepPanel('closed');
    draw();
    if (hadFocus) {
      const back = cameFrom && cameFrom !== view.host && cameFrom !== document.body && cameFrom.isConnected;
      (back ? (cameFrom as HTMLElement) : launcher).focus({ preventScroll: true });
    }
    emit('close');
  }

  const toggle = (): void => (isOpen ? close() : open());

  function configure(config: LauncherConfig): void {
    if (signal.aborted) return;
    texts = config.texts;
    root.dir = config.direction;
    root.lang = config.locale;
    view.title.textContent = config.name;
    frame.name(config.name, config.hostedUrl);
    if (!options.color) view.paint(config.color);
    label();
    if (!options.greeting) teaser.greet(config.welcome);
  }

  function appear(): void {
    root.classList.add('shown');
  }

  function mount(): void {
    if (signal.aborted) return;
    keepInPage(view.host, signal);
    const reveal = setTimeout(appear, COLOR_WITHIN_MS);
    signal.addEventListener('abort', () => clearTimeout(reveal));
    if (options.color) appear();
    if (options.greeting) teaser.greet(options.greeting);
    whenIdle(() => {
      if (signal.aborted) return;
      if (storage.has('c')) frame.load();
      // Loaded as a module, because script-src of the page already allows it and connect-src may not.
      const address = `${options.api}/bots/widget/config?botId=${encodeURIComponent(options.botId)}&format=module`;
      import(address)
        .then(({ default: config }: { default: LauncherConfig }) => configure(config))
        .catch(() => undefined)
        .finally(appear);
    });
    // Restores the last state, else applies the option of the site. Not on phones, where the panel would cover the
    // page.
    const lastState = storage.panel();
    if (lastState ? lastState === 'open' && !smallScreen.matches : options.opensByItself) show(false);
    isReady = true;
    emit('ready');
  }

  function listen(): void {
    for (const intent of ['pointerenter', 'focusin', 'touchstart']) {
      for (const target of [launcher, view.bubble]) {
        target.addEventListener(intent, () => frame.load(), { passive: true });
      }
    }
    launcher.addEventListener('click', toggle);
    view.bubble.addEventListener('click', open);
    view.close.addEventListener('click', close);
    view.dismiss.addEventListener('click', () => {
      teaser.dismiss();
      launcher.focus({ preventScroll: true });
    });
    view.retry.addEventListener('click', () => frame.reload());
    root.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      if (isOpen) close();
      else if (!view.teaser.hidden) view.dismiss.click();
    });
    smallScreen.addEventListener('change', draw, { signal });
    for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, fitViewport, { signal });
    watchAddress((next, before) => {
      pageUrl = next;
      referrer = before;
      frame.send({ type: 'page', pageUrl, referrer });
    }, signal);
  }

  view.paint(options.color ?? DEFAULT_COLOR);
  root.dir = getComputedStyle(document.documentElement).direction;
  draw();
  listen();
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount, { signal });
  else queueMicrotask(mount);

  return {
    open,
    close,
    toggle,
    show() {
      isHidden = false;
      draw();
    },
    hide() {
      isHidden = true;
      close();
      teaser.hide();
      draw();
    },
    on(event, listener) {
      on(event, listener);
      if (event === 'ready' && isReady) queueMicrotask(() => listener());
    },
    off,
    identify(given) {
      traits = { ...given };
      frame.send({ type: 'identify', traits });
    },
    destroy() {
      if (signal.aborted) return;
      isOpen = false;
      setModal(false);
      ending.abort();
      frame.destroy();
      view.host.remove();
      clear();
      gone();
    },
  };
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2_000 });
  else setTimeout(act, 200);
}
