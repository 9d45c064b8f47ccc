import { closeContexts, sharedBrowser, takeScreenshot } from '@heliograph/testing';
import type { Browser } from 'playwright-core';
import { receiptMail } from './receipt-mail';
import { aLine, aReceipt } from './receipt.fixture';

/** A number that the processor generates, without an invoice number. */
const LONG_NUMBER = 'R-in_1OxAbCdEfGhIjKlMnOpQrStU';
const SCREENS = [
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 375, height: 812 } },
  { device: 'smallest phone', viewport: { width: 320, height: 568 } },
].flatMap((screen) => (['light', 'dark'] as const).map((colorScheme) => ({ ...screen, colorScheme })));

/** The script that returns the number of lines of the text node with this text; 0 if there is none. */
const countLines = (text: string) => `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    if (walker.currentNode.textContent !== ${JSON.stringify(text)}) continue;
    range.selectNodeContents(walker.currentNode);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  }
  return 0;
})()`;

describe('the receipt mail on a screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(() => closeContexts(browser));

  it.each(SCREENS)('shows numbers, dates and amounts on one line each: $device, $colorScheme', async (screen) => {
    const { viewport, colorScheme, device } = screen;
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const lines = [aLine(), aLine({ description: 'W'.repeat(80), amount: 123_456_789 })];
    const { html } = receiptMail(aReceipt({ receiptNumber: LONG_NUMBER, amountPaid: 123_456_789, lines }));
    await page.setContent(html);
    await takeScreenshot(page, `receipt-mail-${device}-${colorScheme}`);
    for (const text of [LONG_NUMBER, 'ACME-0007', '21 November 2026', '$24.37', '$1,234,567.89']) {
      expect([text, await page.evaluate(countLines(text))]).toEqual([text, 1]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await context.close();
  });
});
