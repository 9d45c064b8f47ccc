import { eventually, expectEventually, until } from '@heliograph/testing';
import {
  bubbles,
  composer,
  frameTests,
  inContext,
  openHosted,
  openInHost,
  pageData,
  posts,
  remember,
  said,
  write,
} from './frame.fixture';

const at = frameTests();

describe('the composer', () => {
  it('inserts a line break with Shift and Enter, and grows with the text', () =>
    inContext(at.browser, async (context) => {
      const { frame, page } = await openInHost(context, at.runtime);
      const before = (await composer(frame).boundingBox())!.height;
      await composer(frame).pressSequentially('one');
      await page.keyboard.press('Shift+Enter');
      await composer(frame).pressSequentially('two');
      await expectEventually(() => composer(frame).inputValue(), 'one\ntwo');
      await eventually(async () => expect((await composer(frame).boundingBox())!.height).toBeGreaterThan(before));
      await page.keyboard.press('Enter');
      await bubbles(frame).getByText('You said: one').waitFor();
      expect(posts(at.runtime)[0]?.body).toEqual({ message: 'one\ntwo' });
      await expectEventually(async () => (await composer(frame).boundingBox())!.height, before);
    }));

  it('does not send the message on the Enter key that ends a composition', () =>
    inContext(at.browser, async (context) => {
      const { frame, page } = await openInHost(context, at.runtime);
      await composer(frame).focus();
      const session = await context.newCDPSession(page);
      await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
      await frame.evaluate(() => {
        const input = document.querySelector('.composer textarea')!;
        input.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
        );
      });
      await session.send('Input.insertText', { text: '日本' });
      await expectEventually(() => composer(frame).inputValue(), '日本');
      expect(at.runtime.calls).toEqual([]);
    }));

  it('does not send an empty or blank message', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, ' \n ');
      await frame.getByRole('button', { name: 'Send', exact: true }).click({ force: true });
      expect(at.runtime.calls).toEqual([]);
    }));

  it('keeps a pasted text of 10,000 characters, shows the limit, and counts code points near the limit', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await write(frame, 'x'.repeat(10_000));
      await frame.getByText('At most 4,000 characters fit into a message. Please shorten it by 6,000.').waitFor();
      await expectEventually(async () => (await composer(frame).inputValue()).length, 10_000);
      await expectEventually(() => composer(frame).getAttribute('aria-invalid'), 'true');
      expect(at.runtime.calls).toEqual([]);
      await composer(frame).fill('😀'.repeat(3_990));
      await frame.getByText('10 characters left').waitFor();
      await composer(frame).press('Enter');
      await until('the message was sent', () => posts(at.runtime).length === 1);
    }));

  it('keeps the focus after sending by key and by button', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      const hasFocus = () => composer(frame).evaluate((input) => input === document.activeElement);
      await write(frame, 'one');
      await expectEventually(() => hasFocus(), true);
      await composer(frame).fill('two');
      await frame.getByRole('button', { name: 'Send', exact: true }).click();
      await expectEventually(() => hasFocus(), true);
    }));
});

describe('the slash menu', () => {
  it('is a listbox with arrow keys and Enter, which is announced through the composer', () =>
    inContext(at.browser, async (context) => {
      const { frame, page } = await openInHost(context, at.runtime);
      await composer(frame).pressSequentially('/');
      const options = frame.getByRole('listbox', { name: 'Shortcuts' }).getByRole('option');
      await options.nth(1).waitFor();
      await frame.getByRole('status').getByText('2 commands').waitFor();
      const active = () => composer(frame).getAttribute('aria-activedescendant');
      await expectEventually(() => active(), await options.nth(0).getAttribute('id'));
      await page.keyboard.press('ArrowDown');
      await expectEventually(() => active(), await options.nth(1).getAttribute('id'));
      await page.keyboard.press('ArrowDown');
      await expectEventually(() => options.nth(0).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await bubbles(frame).getByText('You said: Track an order').waitFor();
      expect(posts(at.runtime)[0]?.body).toEqual({
        message: 'Track an order',
        action: { type: 'shortcut', id: 'track', command: '/track' },
      });
      await expectEventually(() => composer(frame).inputValue(), '');
    }));

  it('is filtered by the typed text, and is closed by Escape before the panel', () =>
    inContext(at.browser, async (context) => {
      const { frame, page, heard } = await openInHost(context, at.runtime);
      await composer(frame).pressSequentially('/ret');
      await frame.getByRole('option').waitFor();
      await expectEventually(() => frame.getByRole('option').allInnerTexts(), [expect.stringContaining('Returns')]);
      await page.keyboard.press('Escape');
      await expectEventually(() => frame.getByRole('option').count(), 0);
      expect((await heard()).filter(({ type }) => type === 'close')).toEqual([]);
      await page.keyboard.press('Escape');
      await until('the loader has received the message', async () =>
        (await heard()).some(({ type }) => type === 'close'),
      );
    }));
});

describe('choices', () => {
  const chips = [{ id: 'r', label: 'And refunds?', type: 'faq', action: { type: 'faq', id: 'r', extra: 'kept' } }];

  it('offer the shortcuts and suggestions before the first message', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('button', { name: /^Returns/ }).click();
      await bubbles(frame).getByText('You said: Returns').waitFor();
      expect(posts(at.runtime)[0]?.body['action']).toEqual({ type: 'shortcut', id: 'returns', command: '/returns' });
      await expectEventually(() => frame.getByRole('button', { name: /^Returns/ }).count(), 0);
    }));

  it('send the unchanged action of a quick reply, and disappear after they are used', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Well?', quickReplies: chips }]));
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('button', { name: 'And refunds?' }).click();
      await bubbles(frame).getByText('You said: And refunds?').waitFor();
      expect(posts(at.runtime)[0]?.body).toEqual({ message: 'And refunds?', action: chips[0]!.action });
      await expectEventually(() => frame.getByRole('button', { name: 'And refunds?' }).count(), 0);
    }));

  it('disappear when the visitor sends another message', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Well?', quickReplies: chips }]));
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('button', { name: 'And refunds?' }).waitFor();
      await write(frame, 'No');
      await bubbles(frame).getByText('You said: No').waitFor();
      await expectEventually(() => said(frame), ['Well?', 'No', 'You said: No']);
      await expectEventually(() => frame.getByRole('button', { name: 'And refunds?' }).count(), 0);
    }));
});

describe('the emoji picker', () => {
  it('inserts at the cursor by mouse and by keyboard, and Escape closes only the picker', () =>
    inContext(at.browser, async (context) => {
      const { frame, page, heard } = await openInHost(context, at.runtime);
      await composer(frame).fill('Hi there');
      await composer(frame).evaluate((input: HTMLTextAreaElement) => input.setSelectionRange(2, 2));
      const button = frame.getByRole('button', { name: 'Emoji' });
      await button.click();
      await frame.getByRole('button', { name: '👍' }).click();
      await expectEventually(() => composer(frame).inputValue(), 'Hi👍 there');
      await button.press('Enter');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expectEventually(() => composer(frame).inputValue(), 'Hi👍😢 there');
      await button.press('Enter');
      await page.keyboard.press('Escape');
      await expectEventually(() => button.getAttribute('aria-expanded'), 'false');
      expect((await heard()).some(({ type }) => type === 'close')).toBe(false);
      await composer(frame).press('Enter');
      await expectEventually(() => posts(at.runtime)[0]?.body, { message: 'Hi👍😢 there' });
    }));
});

describe('the home view', () => {
  it('shows a large greeting, the choices and the reply time, and is replaced by the conversation', () =>
    inContext(at.browser, async (context) => {
      const { frame } = await openInHost(context, at.runtime);
      const home = frame.locator('.is-home');
      await home.getByText('Hi there! Ask me anything').waitFor();
      const size = () =>
        bubbles(frame)
          .first()
          .evaluate((bubble) => parseFloat(getComputedStyle(bubble).fontSize));
      expect(await size()).toBeGreaterThan(20);
      await home.getByRole('button', { name: /^Returns/ }).waitFor();
      await home.getByRole('button', { name: 'What are your opening hours?' }).waitFor();
      await frame.locator('header').getByText('Replies in seconds').waitFor();
      await write(frame, 'Hello');
      await expectEventually(() => home.count(), 0);
      await expectEventually(() => said(frame), ['Hello', 'You said: Hello']);
      expect(await size()).toBeLessThan(20);
    }));

  it('shows no reply time while an agent answers', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Hello', metadata: { author: 'agent' } }], { paused: true }));
      const { frame } = await openInHost(context, at.runtime);
      await frame.locator('header').getByText('You are talking with our team').waitFor();
      await expectEventually(() => frame.getByText('Replies in seconds').count(), 0);
    }));
});

describe('the hosted page', () => {
  it.each([
    [1440, 'next to'],
    [800, 'above'],
  ])('at a width of %i pixels shows the name of the bot %s the conversation', (width, place) =>
    inContext(
      at.browser,
      async (context) => {
        const page = await openHosted(context, at.runtime);
        const header = (await page.locator('.header').boundingBox())!;
        const middle = (await page.locator('.middle').boundingBox())!;
        if (place === 'next to') {
          expect(header.x + header.width).toBeLessThanOrEqual(middle.x + 1);
          expect(header.width + middle.width).toBeGreaterThan(1000);
          await page
            .locator('header')
            .getByRole('button', { name: /^Returns/ })
            .waitFor();
        } else {
          expect(header.y + header.height).toBeLessThanOrEqual(middle.y + 1);
        }
      },
      { viewport: { width, height: 900 } },
    ),
  );

  it('lists the shortcuts next to the conversation on a wide screen, also during the conversation', () =>
    inContext(
      at.browser,
      async (context) => {
        const page = await openHosted(context, at.runtime);
        const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' });
        const returns = page.getByRole('button', { name: /^Returns/ });
        await expectEventually(() => returns.count(), 1);
        await write(page, 'Hello');
        await bubbles(page).getByText('You said: Hello').waitFor();
        await shortcuts.getByRole('button', { name: /^Returns/ }).click();
        await bubbles(page).getByText('You said: Returns').waitFor();
        // The menu is at the top, next to the name of the bot.
        const menu = (await page.getByRole('button', { name: 'Chat options' }).boundingBox())!;
        const name = (await page.getByRole('heading', { name: 'Acme Help' }).boundingBox())!;
        expect(menu.y).toBeLessThan(name.y + name.height);
        await page.getByRole('button', { name: 'Chat options' }).click();
        const end = page.getByRole('button', { name: 'End chat' });
        const item = (await end.boundingBox())!;
        const screen = page.viewportSize()!;
        expect([item.x >= 0, item.x + item.width <= screen.width, item.y + item.height <= screen.height]).toEqual(
          Array(3).fill(true),
        );
        await end.click();
        await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
        await until('the shortcuts cannot be sent', () =>
          shortcuts.getByRole('button', { name: /^Returns/ }).isDisabled(),
        );
      },
      { viewport: { width: 1440, height: 900 } },
    ));

  it('of a bot without shortcuts has no empty panel next to the conversation', () =>
    inContext(
      at.browser,
      async (context) => {
        at.runtime.data = pageData({}, { shortcuts: [] });
        const page = await openHosted(context, at.runtime);
        const header = (await page.locator('.header').boundingBox())!;
        const middle = (await page.locator('.middle').boundingBox())!;
        expect(header.height).toBeLessThan(120);
        expect(header.width).toBeCloseTo(middle.width, 0);
      },
      { viewport: { width: 1440, height: 900 } },
    ));
});
