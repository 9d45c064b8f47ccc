import { eventually, expectEventually, until } from '@heliograph/testing';
import {
  BOT_ID,
  bubbles,
  composer,
  frameTests,
  inContext,
  openHosted,
  openInHost,
  remember,
  said,
  write,
} from './frame.fixture';

const at = frameTests();

const TALK = [{ role: 'user' as const, content: 'Hello?' }, { content: 'Hi.' }];

describe('the frame and its host', () => {
  it('exchange a handshake without data, and the frame accepts messages only from its parent and only once', () =>
    inContext(at.browser, async (context) => {
      const { page, frame, heard } = await openInHost(context, at.runtime);
      await until('the loader is notified that the chat is rendered', async () =>
        (await heard()).some(({ type }) => type === 'drawn'),
      );
      // A second handshake from the parent, and one from the frame itself.
      await page.evaluate(() => {
        const { port1, port2 } = new MessageChannel();
        Object.assign(window, { second: [] as unknown[] });
        port1.onmessage = ({ data }) => (window as unknown as { second: unknown[] }).second.push(data);
        const init = {
          heliograph: 1,
          type: 'init',
          channel: 'web',
          isOpen: true,
          greeting: 'Forged',
          color: '#ff0000',
        };
        document.querySelector('iframe')!.contentWindow!.postMessage(init, '*', [port2]);
      });
      await frame.evaluate(() => {
        const { port2 } = new MessageChannel();
        postMessage({ heliograph: 1, type: 'init', greeting: 'Forged', isOpen: true }, '*', [port2]);
      });
      await write(frame, 'hello');
      await bubbles(frame).getByText('You said: hello').waitFor();
      await expectEventually(() => frame.getByText('Forged').count(), 0);
      expect(await page.evaluate(() => (window as unknown as { second: unknown[] }).second)).toEqual([]);
    }));

  it('work with a loader of another version and with unknown messages', () =>
    inContext(at.browser, async (context) => {
      const { frame, tell } = await openInHost(context, at.runtime, {
        heliograph: 7,
        isOpen: undefined,
        surprise: { a: 1 },
      });
      await tell({ type: 'from the future', isOpen: 'maybe' });
      await tell({ type: 'visible', isOpen: true });
      await write(frame, 'hello');
      await bubbles(frame).getByText('You said: hello').waitFor();
    }));

  it('use the color and greeting of the site, and the color of the bot if the color of the site is invalid', () =>
    inContext(at.browser, async (context) => {
      const brand = (frame: Awaited<ReturnType<typeof openInHost>>['frame']) =>
        frame.locator('.header').evaluate((header) => getComputedStyle(header).backgroundColor);
      const host = await openInHost(context, at.runtime, { color: '#123456', greeting: 'Welcome, friend.' });
      await bubbles(host.frame).getByText('Welcome, friend.').waitFor();
      await expectEventually(() => brand(host.frame), 'rgb(18, 52, 86)');
      const invalid = await openInHost(context, at.runtime, { color: 'url(x)' });
      await expectEventually(() => brand(invalid.frame), 'rgb(10, 122, 92)');
    }));

  it('never expose the token to the host, a URL, a referrer or the console', () =>
    inContext(at.browser, async (context) => {
      const seen: string[] = [];
      context.on('request', (request) => seen.push(request.url(), request.headers()['referer'] ?? ''));
      context.on('console', (message) => seen.push(message.text()));
      const { page, frame, heard } = await openInHost(context, at.runtime);
      await write(frame, 'hello');
      await bubbles(frame).getByText('You said: hello').waitFor();
      await frame.getByRole('button', { name: 'Chat options' }).click();
      await frame.getByRole('button', { name: 'End chat' }).click();
      await frame.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
      await frame.getByText('This chat has ended.').waitFor();
      const exposed = JSON.stringify([
        await heard(),
        seen,
        await page.evaluate(() => ({ ...localStorage, ...sessionStorage })),
      ]);
      expect(exposed).not.toContain('bcs_');
      expect(await frame.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('bcs_');
      expect((await heard()).filter(({ type }) => type === 'conversation')).toEqual([
        { type: 'conversation', exists: false },
        { type: 'conversation', exists: true },
      ]);
    }));

  it('close the topmost element on Escape: the menu, the dialog, then the panel', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed(TALK));
      const { page, frame, heard } = await openInHost(context, at.runtime);
      const closes = async () => (await heard()).filter(({ type }) => type === 'close').length;
      const options = frame.getByRole('button', { name: 'Chat options' });
      await options.click();
      await page.keyboard.press('Escape');
      await expectEventually(() => options.getAttribute('aria-expanded'), 'false');
      await expectEventually(() => options.evaluate((button) => button === document.activeElement), true);
      await options.click();
      await frame.getByRole('button', { name: 'End chat' }).click();
      await frame.getByRole('dialog', { name: 'End this chat?' }).waitFor();
      await page.keyboard.press('Escape');
      await frame.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await closes()).toBe(0);
      await page.keyboard.press('Escape');
      await until('the loader has received the request to close', async () => (await closes()) === 1);
      await frame.getByRole('button', { name: 'Close chat' }).click();
      await until('the loader has received the second request', async () => (await closes()) === 2);
    }));

  it('focus the composer when the visitor opens the panel, but not on a phone', async () => {
    const hasFocus = () => (input: Element) => input === document.activeElement;
    await inContext(at.browser, async (context) => {
      const { page, frame, tell } = await openInHost(context, at.runtime, { isOpen: false });
      await page.locator('iframe').focus();
      await tell({ type: 'visible', isOpen: true, isFullScreen: false });
      await until('the composer has the focus', () => composer(frame).evaluate(hasFocus()));
    });
    await inContext(
      at.browser,
      async (context) => {
        const { page, frame, tell } = await openInHost(context, at.runtime, { isOpen: false });
        await page.locator('iframe').focus();
        await tell({ type: 'visible', isOpen: true, isFullScreen: true });
        await frame.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        expect(await composer(frame).evaluate(hasFocus())).toBe(false);
        const size = await composer(frame).evaluate((input) => parseFloat(getComputedStyle(input).fontSize));
        expect(size).toBeGreaterThanOrEqual(16);
      },
      { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
    );
  });
});

describe('the conversation', () => {
  it('is restored after a reload and in a new tab, with the transcript from the server', () =>
    inContext(at.browser, async (context) => {
      const { page, frame } = await openInHost(context, at.runtime);
      await write(frame, 'remember me');
      await bubbles(frame).getByText('You said: remember me').waitFor();
      const again = await openInHost(context, at.runtime, {}, page);
      await bubbles(again.frame).getByText('You said: remember me').waitFor();
      const other = await openInHost(context, at.runtime);
      await bubbles(other.frame).getByText('You said: remember me').waitFor();
      await expectEventually(() => said(other.frame), ['remember me', 'You said: remember me']);
      expect(at.runtime.conversations.size).toBe(1);
    }));

  it('is stored in memory if storage is blocked, and the chat works', () =>
    inContext(at.browser, async (context) => {
      await context.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, name, {
            get: () => {
              throw new DOMException('Refused', 'SecurityError');
            },
          });
        }
      });
      const page = await openHosted(context, at.runtime);
      await write(page, 'one');
      await bubbles(page).getByText('You said: one').waitFor();
      await write(page, 'two');
      await bubbles(page).getByText('You said: two').waitFor();
      expect(at.runtime.conversations.size).toBe(1);
    }));

  it('is replaced by a new one without a message if its token is unknown', () =>
    inContext(at.browser, async (context) => {
      await remember(context, { id: 'gone', token: 'bcs_gone' });
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('button', { name: /^Returns/ }).waitFor();
      await expectEventually(() => frame.evaluate((key) => localStorage.getItem(key), `heliograph:${BOT_ID}`), null);
      await write(frame, 'hello');
      await bubbles(frame).getByText('You said: hello').waitFor();
    }));

  it('is restored after an outage, which is shown in the meantime', () =>
    inContext(at.browser, async (context) => {
      at.runtime.fault = () => ({ status: 503 });
      await remember(context, at.runtime.seed(TALK));
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByText('cannot be loaded at the moment').waitFor();
      at.runtime.fault = () => undefined;
      await bubbles(frame).getByText('Hi.').waitFor();
      await expectEventually(() => frame.getByText('cannot be loaded').count(), 0);
    }));
});

describe('a long history', () => {
  const messages = Array.from({ length: 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${index}: with **a bit** of text and https://x.example/${index}`,
  }));

  it('of 1,000 messages shows the newest ones first and loads older ones on scrolling without a jump', () =>
    inContext(at.browser, async (context) => {
      await context.addInitScript(() => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('.row-user')) return;
          Object.assign(window, { drawnAt: performance.now() });
          observer.disconnect();
        });
        observer.observe(document, { childList: true, subtree: true });
      });
      await remember(context, at.runtime.seed(messages));
      const { frame } = await openInHost(context, at.runtime);
      await bubbles(frame).getByText('Message 999:').waitFor();
      const [drawn, ms] = await frame.evaluate(() => {
        const { drawnAt } = window as unknown as { drawnAt: number };
        return [document.querySelectorAll('.row').length, drawnAt];
      });
      process.stderr.write(`1,000 messages: the newest drawn ${Math.round(ms!)} ms after navigation\n`);
      expect(drawn).toBe(60);
      expect(at.runtime.calls.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(10);
      const scroll = frame.locator('.scroll');
      await eventually(async () =>
        expect(await scroll.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(2),
      );
      const top = frame.getByText('Message 940:');
      await scroll.evaluate((box) => box.scrollTo(0, 10));
      const before = await top.boundingBox();
      await bubbles(frame).getByText('Message 880:').waitFor({ state: 'attached' });
      await eventually(async () => expect(Math.abs((await top.boundingBox())!.y - before!.y)).toBeLessThan(40));
      await until('the oldest message is shown', async () => {
        await scroll.evaluate((box) => box.scrollTo(0, 0));
        return (await frame.getByText('Message 0:').count()) === 1;
      });
      await expectEventually(() => frame.locator('.row').count(), 1_001);
    }));

  it('is not announced, whereas a new message is announced once', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(messages.slice(0, 120));
      await context.addInitScript(() => {
        const spoken: string[] = [];
        Object.assign(window, { spoken });
        new MutationObserver((records) => {
          for (const { target, addedNodes } of records) {
            const log = (target as Element).closest?.('[role=log]');
            if (log?.getAttribute('aria-live') !== 'polite') continue;
            for (const node of addedNodes) spoken.push(node.textContent ?? '');
          }
        }).observe(document, { childList: true, subtree: true });
      });
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      const spoken = () => frame.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
      await frame.locator('.log[aria-live=polite]').waitFor();
      await frame.locator('.scroll').evaluate((box) => box.scrollTo(0, 0));
      await bubbles(frame).getByText('Message 0:').waitFor({ state: 'attached' });
      await frame.locator('.log[aria-live=polite]').waitFor();
      expect(await spoken()).toEqual([]);
      at.runtime.say(conversation, { content: 'News.' });
      await bubbles(frame).getByText('News.').waitFor({ state: 'attached' });
      expect((await spoken()).filter((text) => text.includes('News.'))).toHaveLength(1);
      await frame.getByRole('button', { name: 'New messages' }).click();
      await until('the end is in view', () =>
        frame.locator('.scroll').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2),
      );
    }));
});
