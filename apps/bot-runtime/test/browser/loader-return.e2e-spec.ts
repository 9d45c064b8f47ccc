import type { BrowserContext, Page } from 'playwright-core';
import { expectEventually, until } from '@heliograph/testing';
import { hostHtml } from './host-site';
import { BOT_ID, LoaderFixture, type Visit } from './loader.fixture';

type SiteWindow = Window & { Heliograph: { open(): void; identify(traits: object): void } };

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start();
}, 60_000);
afterAll(() => fixture?.stop());

const ask = async (visit: Visit) => {
  const frame = await visit.open();
  const box = frame.getByRole('textbox');
  await box.fill('What are your opening hours?');
  await box.press('Enter');
  await frame.getByText('9 to 5.').waitFor();
  return frame;
};
const kept = ({ page }: Visit) =>
  page.evaluate((key) => [localStorage.getItem(key), sessionStorage.getItem(key)], `heliograph-widget:${BOT_ID}`);

describe('a page that changes without a reload', () => {
  it('keeps one widget and one frame for fifty URLs and a new body, and the chat uses the current URL', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve({ body: '<p>Text</p>' }));
      const frame = await visit.open();
      await visit.page.evaluate(() => {
        for (let step = 1; step <= 50; step++) history.pushState(null, '', `/page-${step}`);
        const body = document.createElement('body');
        body.innerHTML = '<p>Another page</p>';
        document.body.replaceWith(body);
      });
      const started = visit.page.waitForRequest('**/api/v1/chat/conversations');
      await frame.getByRole('textbox').fill('Hello');
      await frame.getByRole('textbox').press('Enter');
      const { client } = (await started).postDataJSON() as { client: Record<string, string> };
      expect(client['pageUrl']).toBe(`${fixture.site.origin}/page-50`);
      expect(client['referrer']).toBe(`${fixture.site.origin}/page-49`);
      expect(await visit.page.locator('heliograph-widget').count()).toBe(1);
      expect(visit.asked().filter((path) => path.startsWith('/bots/embed/'))).toHaveLength(1);
      expect([await visit.isOpen(), await visit.launcher.isVisible()]).toEqual([true, true]);
    }));

  it('restores the widget when a script removes it', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await ask(visit);
      await visit.page.evaluate(() => {
        document.querySelector('heliograph-widget')!.remove();
        document.replaceChild(document.documentElement.cloneNode(true), document.documentElement);
      });
      await visit.launcher.waitFor();
      expect(await visit.page.locator('heliograph-widget').count()).toBe(1);
      await (await visit.drawn()).getByText('9 to 5.').waitFor();
    }));
});

describe('a visitor who opens another page of the site', () => {
  it('finds the panel open with the conversation, or closed if it was closed', () =>
    fixture.visit(async (visit) => {
      const first = fixture.serve({}, '/one');
      const second = fixture.serve({}, '/two');
      await visit.goto(first);
      await ask(visit);
      await visit.goto(second);
      await (await visit.drawn()).getByText('9 to 5.').waitFor();
      await expectEventually(() => visit.isOpen(), true);
      await visit.launcher.click();
      await visit.goto(first);
      await visit.iframe.waitFor({ state: 'attached' });
      expect(await visit.isOpen()).toBe(false);
      await visit.page.goBack();
      await (await visit.open()).getByText('9 to 5.').waitFor();
    }));

  it('does not see the panel open automatically again after closing it', () =>
    fixture.visit(async (visit) => {
      const address = fixture.serve({ attributes: 'data-auto-open="true"' });
      await visit.goto(address);
      await visit.drawn();
      await visit.launcher.click();
      await visit.goto(address);
      await visit.launcher.waitFor();
      expect(await visit.isOpen()).toBe(false);
    }));

  it('does not see the teaser again after dismissing it, also in another tab', () =>
    fixture.visit(async (visit) => {
      const visitAndWait = async (page: Page) => {
        await page.goto(address);
        await page.locator('heliograph-widget .launcher').waitFor({ state: 'attached' });
        // Longer than the delay of the teaser, on the clock of the page.
        await page.clock.runFor(30_000);
        return page.locator('heliograph-widget .teaser');
      };
      const address = fixture.serve({ attributes: 'data-greeting="Hello"' });
      await visit.page.clock.install();
      await (await visitAndWait(visit.page)).waitFor();
      await visit.teaser.getByRole('button', { name: 'Dismiss' }).click();
      await expectEventually(async () => [await visit.teaser.isVisible(), await visit.focused()], [false, 'launcher']);
      await expectEventually(() => kept(visit), ['t', null]);
      expect(await (await visitAndWait(visit.page)).isVisible()).toBe(false);
      const tab = await visit.page.context().newPage();
      await tab.clock.install();
      expect(await (await visitAndWait(tab)).isVisible()).toBe(false);
    }));
});

describe('the state of the widget', () => {
  it('on the site contains only that a conversation exists, not its token, and the frame is then loaded immediately', () =>
    fixture.visit(async (visit) => {
      const address = fixture.serve();
      await visit.goto(address);
      await ask(visit);
      await until('the flag is set', async () => (await kept(visit))[0] === 'c');
      expect(
        await visit.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
      ).not.toContain('bcs_');
      await visit.page.evaluate(() => sessionStorage.clear());
      await visit.goto(address);
      await visit.iframe.waitFor({ state: 'attached' });
      expect(await visit.isOpen()).toBe(false);
    }));

  it('does not expose the token in URLs, referrers and messages to the page', () =>
    fixture.visit(async (visit) => {
      const referrers: string[] = [];
      visit.page.on('request', (request) => referrers.push(request.headers()['referer'] ?? ''));
      const head = `<script>window.seen = []; addEventListener('message', ({ data }) => seen.push(JSON.stringify(data)))</script>`;
      await visit.goto(fixture.serve({ head }));
      await ask(visit);
      expect([...visit.requests, ...referrers].filter((text) => text.includes('bcs_'))).toEqual([]);
      const seen = await visit.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
      expect(seen).toEqual(['{"heliograph":1,"type":"ready"}']);
    }));

  it.each([
    [
      'throws',
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });
      Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no'); } });`,
    ],
    ['is full', `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`],
    [
      'is missing',
      `for (const area of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, area, { value: null });`,
    ],
  ])('is not required, so the widget and the frame work if storage %s', (_what, script) =>
    fixture.visit(
      async (visit) => {
        await visit.goto(fixture.serve());
        await ask(visit);
        await visit.launcher.click();
        expect(await visit.isOpen()).toBe(false);
      },
      { before: async (context: BrowserContext) => void (await context.addInitScript(script)) },
    ),
  );
});

describe('a frame of another version', () => {
  /** A frame with another protocol version, which shows the received messages in its title. */
  const frameOf = (greeting: object) => `<!doctype html><title>[]</title><script>
    const told = [];
    const keep = (data) => { told.push(data); document.title = JSON.stringify(told); };
    addEventListener('message', ({ data, ports: [port] }) => {
      keep(data);
      port.onmessage = ({ data }) => keep(data);
      for (const message of [null, 'x', { type: 'later' }, { type: 'unread', count: -1 }, { type: 'unread', count: 'x' },
        { type: 'unread', count: 12, preview: null }, { type: 'drawn', more: 1 }]) port.postMessage(message);
    });
    parent.postMessage(${JSON.stringify(greeting)}, '*');
  </script>`;

  it.each([
    { heliograph: 1, type: 'ready' },
    { heliograph: 2, type: 'ready', features: ['video'] },
  ])('with the message %j works, and its unknown messages are ignored', (greeting) =>
    fixture.visit(async (visit) => {
      await visit.page.route('**/bots/embed/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: frameOf(greeting) }),
      );
      const html = hostHtml({ body: fixture.tag('data-color="#123456" data-greeting="Hi"') });
      await visit.goto(fixture.serve({ html }, '/versions'));
      await visit.page.evaluate(() =>
        (window as unknown as SiteWindow).Heliograph.identify({ name: 'Ada', email: 'ada@acme.example' }),
      );
      await visit.launcher.hover();
      await until('the badge is shown', () => visit.page.locator('heliograph-widget .badge').isVisible());
      await expectEventually(() => visit.launcher.getAttribute('aria-label'), 'Open chat, 12 unread');
      const frame = await visit.open();
      const told = await until('the frame has received the messages', async () => {
        const list = JSON.parse(await frame.title()) as { type: string }[];
        return list.length >= 3 && list;
      });
      expect(told).toEqual([
        {
          heliograph: 1,
          type: 'init',
          color: '#123456',
          greeting: 'Hi',
          channel: 'web',
          pageUrl: `${fixture.site.origin}/versions`,
          referrer: '',
          language: 'en-US',
          isOpen: false,
          isFullScreen: false,
        },
        { type: 'identify', traits: { name: 'Ada', email: 'ada@acme.example' } },
        { type: 'visible', isOpen: true, isFullScreen: false },
      ]);
      expect(visit.complaints).toEqual([]);
    }),
  );
});
