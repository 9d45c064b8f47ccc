import { readFileSync } from 'node:fs';
import { sharedBrowser, takeScreenshot } from '@heliograph/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { reportOf, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = { width: 1_440, height: 900 };
const PHONE = { width: 375, height: 812 };

describe('row 27: the unsubscribe page in a browser', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let browser: Browser;
  let context: BrowserContext | null = null;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
    browser = await sharedBrowser();
  });
  afterEach(async () => {
    await context?.close();
    context = null;
  });

  /** Opens the visible link of a new mail. */
  const open = async (scope: string, options: Parameters<Browser['newContext']>[0] = {}) => {
    const to = email.recipient('jane');
    const html = '<a href="{{ unsubscribe_url }}">Leave</a>';
    const { id } = await sendOk(email, tenant.key, { to, subject: 'Hi', html, unsubscribeScope: scope });
    const [mail] = await email.mailbox.messagesTo(to);
    const { pathname } = new URL(/<a href="([^"]*)">Leave/.exec(mail?.html ?? '')?.[1] ?? '');
    context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(email.url + pathname);
    return { page, id, to };
  };
  const eventsOf = async (id: string) => (await reportOf(email, tenant.key, id)).events.map(({ type }) => type);
  const unsubscribe = async (page: Page) => {
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  };

  const undo = async (page: Page) => {
    await page.getByRole('button', { name: 'Undo and subscribe again' }).click();
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor();
  };

  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [['desktop', DESKTOP] as const, ['phone', PHONE] as const].map(([device, viewport]) => ({
      colorScheme,
      device,
      viewport,
    })),
  );

  it.each(looks)(
    'is accessible and fits the screen before and after confirmation, on a $device in $colorScheme',
    async ({ colorScheme, device, viewport }) => {
      const { page, to } = await open('a-list-with-a-long-name-'.padEnd(63, 'x'), {
        colorScheme,
        viewport,
        bypassCSP: true,
      });
      for (const state of ['question', 'done', 'subscribed', 'still']) {
        await takeScreenshot(page, `unsubscribe-${state}-${device}-${colorScheme}`);
        await page.evaluate(axe);
        const violations = await page.evaluate<string[]>(
          'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
        );
        expect([state, violations]).toEqual([state, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        if (state === 'question' || state === 'subscribed') await unsubscribe(page);
        if (state === 'done') await undo(page);
        if (state === 'subscribed') {
          await email.rows(`UPDATE email.suppressions SET reason = 'manual' WHERE address_key = $1`, [to]);
          await page.getByRole('button', { name: 'Undo' }).click();
          await page.getByRole('heading', { name: 'You are still unsubscribed' }).waitFor();
        }
      }
    },
  );

  it('changes nothing until the button is pressed, and then stops the list only', async () => {
    const { page, id, to } = await open('news');
    expect(await page.getByRole('heading').textContent()).toBe('Unsubscribe?');
    expect(await page.locator('main p').first().textContent()).toMatch(
      /^Stop mail of the list news from .+ to j•••@example\.com\.$/,
    );
    await page.reload();
    expect(await eventsOf(id)).toEqual([]);
    await unsubscribe(page);
    expect(await page.locator('main p').first().textContent()).toContain('will not send mail of the list news to');
    expect(await eventsOf(id)).toEqual(['unsubscribed']);
    const status = async (unsubscribeScope: string) =>
      (await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi', unsubscribeScope })).status;
    expect([await status('news'), await status('marketing')]).toEqual(['skipped', 'sent']);
  });

  it('undoes the unsubscribe without scripts, also after the page was opened again', async () => {
    const { page, to } = await open('marketing', { javaScriptEnabled: false });
    await unsubscribe(page);
    await page.goto(page.url());
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await undo(page);
    expect(await page.locator('main p').first().textContent()).toMatch(/ may send marketing mail to j•••@\S+ again\.$/);
    const status = async () => (await sendOk(email, tenant.key, { to, subject: 'Hi', text: 'Hi' })).status;
    expect(await status()).toBe('sent');
    await unsubscribe(page);
    expect(await status()).toBe('skipped');
  });

  it('works without scripts and with the keyboard, and names marketing', async () => {
    const { page, id } = await open('marketing', { javaScriptEnabled: false });
    expect(await page.locator('main p').first().textContent()).toMatch(/^Stop marketing mail from /);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await eventsOf(id)).toEqual(['unsubscribed']);
  });

  it('loads nothing from other hosts and sets no cookie', async () => {
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, subject: 'Hi', text: '{{ unsubscribe_url }}' });
    const [mail] = await email.mailbox.messagesTo(to);
    context = await browser.newContext();
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.resourceType()));
    await page.goto(email.url + new URL(mail?.text?.trim() ?? '').pathname);
    expect(requests).toEqual(['document']);
    expect(await context.cookies()).toEqual([]);
  });
});
