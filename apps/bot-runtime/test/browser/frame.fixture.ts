import { closeContexts, sharedBrowser, unique } from '@heliograph/testing';
import type { PageData, WidgetConfig } from '@heliograph/bot-widget';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { StandInRuntime } from './frame-stand-in.fixture';

export const BOT_ID = 'bot_acme_help';

export const pageData = (config: Partial<WidgetConfig> | null = {}, more: Partial<PageData> = {}): PageData => ({
  botId: BOT_ID,
  apiBase: '',
  mode: 'frame',
  config: config && {
    ok: true,
    botId: BOT_ID,
    name: 'Acme Help',
    slug: 'acme-help',
    locale: 'en',
    color: '#0a7a5c',
    welcome: 'Hi there! Ask me anything about orders, returns and delivery.',
    apiBase: '',
    embedUrl: '',
    ...config,
  },
  shortcuts: [
    {
      id: 'returns',
      label: 'Returns',
      command: '/returns',
      description: 'How to send things back',
      type: 'knowledge_query',
      displayOrder: 1,
    },
    {
      id: 'track',
      label: 'Track an order',
      command: '/track',
      description: 'Where your parcel is',
      type: 'knowledge_query',
      displayOrder: 2,
    },
  ],
  suggestions: [{ id: 'hours', label: 'What are your opening hours?' }],
  ...more,
});

export const NINE_FIELDS = {
  id: 'details',
  title: 'Leave your details',
  fields: [
    { key: 'name', label: 'Name', type: 'text', required: true },
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'phone', label: 'Phone', type: 'phone', required: false },
    { key: 'about', label: 'What is it about?', type: 'textarea', required: true },
    { key: 'plan', label: 'Plan', type: 'select', required: true, options: ['Basic', 'Pro'] },
    { key: 'day', label: 'Day', type: 'date', required: true },
    { key: 'hour', label: 'Hour', type: 'time', required: false },
    { key: 'seats', label: 'Seats', type: 'number', required: true },
    { key: 'site', label: 'Website', type: 'url', required: false },
  ],
};

/** The messages of the page around the frame, which replaces the loader. */
export interface Host {
  page: Page;
  frame: Frame;
  /** Sends a message to the frame over the port. */
  tell(message: object): Promise<void>;
  /** Returns the messages received over the port. */
  heard(): Promise<{ type: string; [more: string]: unknown }[]>;
}

interface HostWindow extends Window {
  port: MessagePort;
  heard: { type: string }[];
}

/**
 * Shows the frame in a page of another site and performs the handshake of the loader. `init` contains differences from
 * an open panel; `tab` is the page to use, by default a new one.
 */
export async function openInHost(
  context: BrowserContext,
  runtime: StandInRuntime,
  init: Record<string, unknown> = {},
  tab?: Page,
): Promise<Host> {
  const page = tab ?? (await context.newPage());
  await page.goto(`${runtime.url('127.0.0.2')}/host`);
  await page.evaluate(
    ({ source, more }) => {
      const view = window as unknown as HostWindow;
      view.heard = [];
      const frame = document.createElement('iframe');
      frame.title = 'Chat';
      frame.sandbox.value = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
      frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0';
      addEventListener('message', (event) => {
        if (event.source !== frame.contentWindow || view.port) return;
        const { port1, port2 } = new MessageChannel();
        view.port = port1;
        port1.onmessage = ({ data }) => void view.heard.push(data);
        const told = { heliograph: 1, type: 'init', channel: 'web', isOpen: true, isFullScreen: false };
        const about = { pageUrl: location.href, referrer: '', language: navigator.language };
        frame.contentWindow?.postMessage({ ...told, ...about, ...more }, new URL(source).origin, [port2]);
      });
      frame.src = source;
      document.body.append(frame);
    },
    { source: `${runtime.url()}/bots/embed/${BOT_ID}`, more: init },
  );
  const heard = () => page.evaluate(() => (window as unknown as HostWindow).heard);
  const tell = (message: object) =>
    page.evaluate((told) => (window as unknown as HostWindow).port.postMessage(told), message);
  await page.frameLocator('iframe').locator('main').waitFor();
  const frame = page.frames().find((candidate) => candidate.url().includes('/bots/embed/'));
  if (!frame) throw new Error('the frame was not found');
  return { page, frame, tell, heard };
}

/** Shows the hosted page in `tab`, by default in a new one. */
export async function openHosted(context: BrowserContext, runtime: StandInRuntime, tab?: Page): Promise<Page> {
  const page = tab ?? (await context.newPage());
  await page.goto(`${runtime.url()}/c/${BOT_ID}`);
  await page.locator('main').waitFor();
  return page;
}

/**
 * Stores a conversation, which the next page of the context restores; null removes the stored conversation. Each call
 * applies once per tab.
 */
export async function remember(
  context: BrowserContext,
  conversation: { id: string; token: string } | null,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { id, token } = conversation ?? {};
  await context.addInitScript(
    ({ key, value, call }) => {
      try {
        if (sessionStorage.getItem(call) !== null) return;
        // The outbox of the conversation before.
        for (const item of Object.keys(sessionStorage)) {
          if (!item.startsWith('remember-')) sessionStorage.removeItem(item);
        }
        sessionStorage.setItem(call, 'applied');
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch {
        // The frame has not been navigated to its URL yet.
      }
    },
    {
      key: `heliograph:${BOT_ID}`,
      value: conversation && JSON.stringify({ id, token, shortcuts: [], seen: null, ...more }),
      call: `remember-${unique()}`,
    },
  );
}

/** Provides the browser and the simulated runtime for the tests of a file; the runtime is reset before each test. */
export function frameTests(): { browser: Browser; runtime: StandInRuntime } {
  const at = {} as { browser: Browser; runtime: StandInRuntime };
  beforeAll(async () => {
    [at.browser, at.runtime] = await Promise.all([sharedBrowser(), StandInRuntime.start(pageData())]);
  });
  beforeEach(() => {
    at.runtime.data = pageData();
    at.runtime.reset();
  });
  afterAll(async () => {
    await closeContexts(at.browser);
    await at.runtime?.stop();
  });
  return at;
}

export async function inContext<T>(
  browser: Browser,
  work: (context: BrowserContext) => Promise<T>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 400, height: 704 }, ...options });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

export const composer = (view: Frame | Page) => view.locator('.composer textarea');
export const bubbles = (view: Frame | Page) => view.locator('.log .bubble');

/** Returns the texts of the bubbles from top to bottom, without the greeting. */
export const said = async (view: Frame | Page): Promise<string[]> => (await bubbles(view).allInnerTexts()).slice(1);

export async function write(view: Frame | Page, text: string): Promise<void> {
  await composer(view).fill(text);
  await composer(view).press('Enter');
}

/** Returns the message requests that the runtime has received. */
export const posts = (runtime: StandInRuntime) =>
  runtime.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'));
