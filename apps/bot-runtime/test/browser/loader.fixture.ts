import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Locator, Page } from 'playwright-core';
import { closeContexts, sharedBrowser, until } from '@heliograph/testing';
import { BotFixture } from '../bot-fixture';
import type { BotDetails } from '../make-bot';
import { builtWidgetDirectory } from './built-widget';
import { hostHtml, HostSite, type HostPage } from './host-site';

export const BOT_ID = 'bot_acme_help';
const BRAND = '#0a7a5c';
export const WELCOME = 'Hi there! Ask me anything about orders and returns.';

/** The real runtime with a bot, a site of another origin with the widget, and a browser. */
export class LoaderFixture {
  private constructor(
    readonly browser: Browser,
    readonly runtime: BotFixture,
    readonly site: HostSite,
  ) {}

  static async start(bots: BotDetails[] = []): Promise<LoaderFixture> {
    const port = await freePort();
    const [browser, runtime, site] = await Promise.all([
      sharedBrowser(),
      BotFixture.start({
        widgetDirectory: await builtWidgetDirectory(),
        environment: { PORT: `${port}`, PUBLIC_BASE_URL: `http://127.0.0.1:${port}` },
      }),
      HostSite.start(),
    ]);
    await runtime.bot({
      publicId: BOT_ID,
      name: 'Acme Help',
      settings: { branding: { color: BRAND }, welcomeMessage: WELCOME },
      faqs: [{ id: 'hours', question: 'What are your opening hours?', answer: '9 to 5.', label: 'Opening hours' }],
    });
    for (const bot of bots) await runtime.bot(bot);
    return new LoaderFixture(browser, runtime, site);
  }

  async stop(): Promise<void> {
    await closeContexts(this.browser);
    await this.site.stop();
    await this.runtime.stop();
  }

  get scriptUrl(): string {
    return `${this.runtime.url}/bots/widget.js`;
  }

  /** Returns the script tag of a site; `attributes` are inserted unchanged. */
  tag(attributes = '', botId = BOT_ID): string {
    return `<script src="${this.scriptUrl}" data-bot-id="${botId}" ${attributes}></script>`;
  }

  /** Serves a page of the site with the widget and returns its URL. */
  serve(page: Partial<HostPage> & { attributes?: string; head?: string; body?: string } = {}, path = '/'): string {
    const { attributes = '', head = '', body = '' } = page;
    const html = page.html ?? hostHtml({ head, body: `${body}\n${this.tag(attributes)}` });
    return this.site.serve(path, { html, ...(page.headers && { headers: page.headers }) });
  }

  /** Runs in a new browser context without stored data. */
  async visit<T>(
    work: (visit: Visit) => Promise<T>,
    options: BrowserContextOptions & { before?: (context: BrowserContext) => Promise<void> } = {},
  ): Promise<T> {
    const { before, ...more } = options;
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...more });
    try {
      await before?.(context);
      return await work(new Visit(await context.newPage(), this.runtime.url));
    } finally {
      await context.close();
    }
  }
}

/** A page of the site with the elements of the widget. */
export class Visit {
  readonly requests: string[] = [];
  /** Console warnings, console errors and uncaught errors. */
  readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly runtimeUrl: string,
  ) {
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) this.complaints.push(message.text());
    });
  }

  get launcher(): Locator {
    return this.page.locator('heliograph-widget .launcher');
  }

  get panel(): Locator {
    return this.page.locator('heliograph-widget .panel');
  }

  get cover(): Locator {
    return this.page.locator('heliograph-widget .cover');
  }

  get teaser(): Locator {
    return this.page.locator('heliograph-widget .teaser');
  }

  get iframe(): Locator {
    return this.page.locator('heliograph-widget iframe');
  }

  /** Returns the paths of the requests to the runtime. */
  asked(): string[] {
    return this.requests
      .filter((address) => address.startsWith(this.runtimeUrl))
      .map((address) => address.slice(this.runtimeUrl.length));
  }

  /** With `hasClock`, `skipTo` can fast-forward the timers of the page. */
  async goto(address: string, { hasClock = false } = {}): Promise<this> {
    if (hasClock) await this.page.clock.install();
    await this.page.goto(address);
    await this.launcher.waitFor({ state: 'attached' });
    return this;
  }

  /** Fast-forwards the timers of the page until the element is visible. */
  async skipTo(element: Locator): Promise<void> {
    await until('the element is visible', async () => {
      await this.page.clock.fastForward(1_000);
      return element.isVisible();
    });
  }

  /** Opens the panel with the launcher, and returns the frame when the chat is rendered. */
  async open(): Promise<Frame> {
    await this.launcher.click();
    return this.drawn();
  }

  /** Returns the frame when the chat is rendered. */
  async drawn(): Promise<Frame> {
    await this.cover.waitFor({ state: 'hidden' });
    return until('the frame has loaded', () =>
      this.page.frames().find((frame) => frame.url().startsWith(`${this.runtimeUrl}/bots/embed/`)),
    );
  }

  isOpen(): Promise<boolean> {
    return this.page.evaluate(
      () => document.querySelector('heliograph-widget')?.shadowRoot?.querySelector('.open') !== null,
    );
  }

  /** Returns the class of the focused element of the widget, or the id or tag of the focused element of the page. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const own = document.activeElement?.shadowRoot?.activeElement;
      if (own) return own.className || own.tagName.toLowerCase();
      return document.activeElement?.id || (document.activeElement?.tagName.toLowerCase() ?? '');
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
