import { expectEventually } from '@heliograph/testing';
import type { Frame } from 'playwright-core';
import { frameTests, inContext, NINE_FIELDS, openHosted, openInHost, pageData, remember } from './frame.fixture';

const at = frameTests();

const THEMES = [{ colorScheme: 'light' }, { colorScheme: 'dark' }] as const;

describe('the feedback form', () => {
  it.each([
    [1, 'What could we do better? (optional)'],
    [3, 'What could we do better? (optional)'],
    [4, 'Thank you! What did you like? (optional)'],
    [5, 'Thank you! What did you like? (optional)'],
  ])('after %i stars asks: %s', (rating, question) =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed([{ content: 'Hi.' }], { status: 'ended' }));
      const { frame } = await openInHost(context, at.runtime);
      await frame.getByRole('radio', { name: `${rating} of 5` }).check();
      await expectEventually(() => frame.getByLabel(question, { exact: true }).count(), 1);
      await expectEventually(() => frame.locator('.comment').getAttribute('placeholder'), question);
    }),
  );

  it.each([
    { width: 1440, height: 900 },
    { width: 800, height: 900 },
    { width: 375, height: 812 },
  ])('is completely visible on a hosted page of $width x $height pixels', (viewport) =>
    inContext(
      at.browser,
      async (context) => {
        await remember(context, at.runtime.seed([{ content: 'Hi.' }], { status: 'ended' }));
        const page = await openHosted(context, at.runtime);
        await page.getByRole('radio', { name: '5 of 5' }).check();
        const footer = (await page.locator('.closed').boundingBox())!;
        expect(footer.y + footer.height).toBeLessThanOrEqual(viewport.height);
        for (const name of ['Send feedback', 'Reopen chat', 'New chat']) {
          const box = (await page.getByRole('button', { name }).boundingBox())!;
          expect(box.y + box.height).toBeLessThanOrEqual(footer.y + footer.height);
        }
      },
      { viewport },
    ),
  );
});

describe('the slash menu', () => {
  it.each([
    ['en', 'left'],
    ['ar', 'right'],
  ])('marks the active command in %s with a straight bar inside the %s edge', (locale, side) =>
    inContext(at.browser, async (context) => {
      at.runtime.data = pageData({ locale });
      const { frame } = await openInHost(context, at.runtime);
      await frame.locator('.composer textarea').fill('/');
      const bar = await frame.locator('.command[aria-selected=true]').evaluate((command) => {
        const { width, height, left, right, backgroundColor } = getComputedStyle(command, '::before');
        const { borderRadius, boxShadow } = getComputedStyle(command);
        return {
          width: parseFloat(width),
          height: parseFloat(height),
          left: parseFloat(left),
          right: parseFloat(right),
          backgroundColor,
          boxShadow,
          corner: parseFloat(borderRadius),
          full: command.clientHeight,
        };
      });
      expect(bar).toMatchObject({ width: 3, boxShadow: 'none', [side]: 4 });
      expect(bar.backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
      // Shorter than the option by its rounded corners.
      expect(bar.height).toBe(bar.full - 2 * bar.corner);
    }),
  );
});

describe('a select field', () => {
  it.each(THEMES)('has the arrow of the chat at the end of the field, also from right to left: %j', (theme) =>
    inContext(
      at.browser,
      async (context) => {
        for (const locale of ['en', 'ar']) {
          at.runtime.data = pageData({ locale });
          await remember(context, at.runtime.seed([{ content: 'Your details', form: NINE_FIELDS }]));
          const { frame, page } = await openInHost(context, at.runtime);
          const select = frame.locator('.select select');
          expect(await select.evaluate((element) => getComputedStyle(element).appearance)).toBe('none');
          const field = (await select.boundingBox())!;
          const arrow = (await frame.locator('.select .icon').boundingBox())!;
          const gap = locale === 'en' ? field.x + field.width - arrow.x - arrow.width : arrow.x - field.x;
          expect(gap).toBeCloseTo(12, 0);
          expect(arrow.y + arrow.height / 2).toBeCloseTo(field.y + field.height / 2, 0);
          // The arrow does not catch the clicks of the field.
          expect(
            await select.evaluate(
              (element, { x, y }) => document.elementFromPoint(x, y) === element,
              centerOf(await inFrame(frame)),
            ),
          ).toBe(true);
          await page.close();
        }
      },
      theme,
    ),
  );
});

describe('the page of an unknown bot', () => {
  it('says once that the chat is not available, without the color of another bot', () =>
    inContext(at.browser, async (context) => {
      at.runtime.data = pageData(null);
      const hosted = await openHosted(context, at.runtime);
      await hosted.getByRole('heading', { level: 1, name: 'This chat is not available' }).waitFor();
      expect(await hosted.getByText('This chat is not available').count()).toBe(1);
      expect(await hosted.locator('header').count()).toBe(0);
      const { frame, heard } = await openInHost(context, at.runtime);
      await frame.getByRole('heading', { level: 1, name: 'This chat is not available' }).waitFor();
      expect(await frame.getByText('This chat is not available').count()).toBe(1);
      const header = frame.locator('header');
      expect(await header.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
      await header.getByRole('button', { name: 'Close chat' }).click();
      await expectEventually(async () => (await heard()).some(({ type }) => type === 'close'), true);
    }));
});

/** The arrow within the viewport of the frame. */
const inFrame = (frame: Frame) =>
  frame.locator('.select .icon').evaluate((icon) => {
    icon.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = icon.getBoundingClientRect();
    return { x, y, width, height };
  });

const centerOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: x + width / 2,
  y: y + height / 2,
});
