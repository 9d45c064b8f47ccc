import { closeContexts, sharedBrowser, takeScreenshot, until } from '@heliograph/testing';
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import type { ControlApi } from '../../control-api';
import { createControlApi } from '../../create-control-api';
import { MailboxSimulator } from '../mailbox-simulator';

const RECIPIENTS = ['ann.lee@example.com', 'bob@example.com', 'carla@example.com', 'zoë+x@example.com'];
const SCREENS = [
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
  { device: 'phone', viewport: { width: 375, height: 812 } },
].flatMap((screen) => (['light', 'dark'] as const).map((colorScheme) => ({ ...screen, colorScheme })));

describe('the faces of the mailbox page', () => {
  let mailbox: MailboxSimulator;
  let api: ControlApi;
  let origin: string;
  let browser: Browser;
  beforeAll(async () => {
    mailbox = new MailboxSimulator();
    await mailbox.start();
    api = createControlApi({ mailbox });
    [browser, origin] = await Promise.all([sharedBrowser(), api.start().then((port) => `http://127.0.0.1:${port}`)]);
    const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ignoreTLS: true });
    for (const to of [...RECIPIENTS, 'ann.lee@example.com']) {
      await transport.sendMail({
        from: 'Acme <hello@acme.example>',
        to,
        subject: 'Your order',
        text: 'It is on its way.',
      });
    }
    transport.close();
  });
  afterAll(async () => {
    await closeContexts(browser);
    await api?.stop();
    await mailbox?.stop();
  });

  it.each(SCREENS)('differ by recipient, although the sender is the same: $device, $colorScheme', async (screen) => {
    const { viewport, colorScheme, device } = screen;
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    await page.goto(`${origin}/mailbox`);
    const rows = page.locator('.list .row');
    await until('all emails are listed', async () => (await rows.count()) === RECIPIENTS.length + 1);
    await takeScreenshot(page, `mailbox-${device}-${colorScheme}`);
    const faces = await page.evaluate<{ text: string; background: string }[]>(
      `[...document.querySelectorAll('.list .face')].map((face) => ({
        text: face.textContent,
        background: getComputedStyle(face).backgroundColor,
      }))`,
    );
    // The newest is first.
    expect(faces.map(({ text }) => text)).toEqual(['AL', 'ZX', 'CA', 'BO', 'AL']);
    expect(faces[0]).toEqual(faces[4]);
    expect(new Set(faces.map(({ background }) => background)).size).toBeGreaterThan(2);
    expect(await rows.first().locator('.who').textContent()).toBe('Acme → ann.lee@example.com');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await rows.first().click();
    await until('the open email shows the same face', async () => (await page.locator('#face').textContent()) === 'AL');
    expect(await page.evaluate(`getComputedStyle(document.getElementById('face')).backgroundColor`)).toBe(
      faces[0]?.background,
    );
    await context.close();
  });
});
