import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeContexts, sharedBrowser } from '@heliograph/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { AccountFixture } from './account-fixture';
import { otherService } from './other-service';

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1440, height: 900 };
const PATHS = [
  '/docs',
  '/docs/v1',
  '/docs/account',
  '/docs/account/api-keys',
  '/docs/search?q=key',
  '/docs/guides/quick-start',
  '/docs/guides/errors',
];

let fixture: AccountFixture;
let sms: Server;
let browser: Browser;
beforeAll(async () => {
  sms = await otherService();
  const shared = await AccountFixture.shared();
  fixture = await shared.beside({ SMS_API_URL: `http://127.0.0.1:${(sms.address() as AddressInfo).port}` });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closeContexts(browser);
  await fixture?.service.stop();
  sms?.close();
});

/** Opens a page; `problems` collects CSP violations and script errors. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('404')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'data:' && host !== new URL(fixture.service.url).host) problems.push(request.url());
  });
  await page.goto(`${fixture.service.url}${path}`);
  return { page, problems };
}

describe('row 30: the API reference in a browser', () => {
  it.each([
    ['on a desktop in the light theme', { viewport: DESKTOP, colorScheme: 'light' }],
    ['on a phone in the dark theme', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('is accessible %s', async (_, options) => {
    const axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
    const found: string[] = [];
    for (const path of PATHS) {
      const { page, problems } = await open(path, { ...options, bypassCSP: true });
      const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      if (isWider) found.push(`${path}: wider than the screen`);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      found.push(...violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`), ...problems);
      await page.context().close();
    }
    expect(found).toEqual([]);
  });

  it('has a search that is usable with the keyboard only', async () => {
    const { page, problems } = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('api key');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    const target = await page.evaluate<string>('document.activeElement.href');
    await page.keyboard.press('Enter');
    await page.waitForURL(target);
    expect(await page.locator(`[id="${new URL(target).hash.slice(1)}"]`).count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    expect(await page.locator('.found').isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('copies code samples to the clipboard', async () => {
    const { page, problems } = await open('/docs/sms/calls-without-version', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.copy').first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/sms/send');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows samples in the chosen language, on all pages, and offers the choice without scripts too', async () => {
    const { page, problems } = await open('/docs/guides/quick-start');
    const sample = page.locator('.choice').first();
    expect(await sample.locator('pre').filter({ visible: true }).textContent()).toContain('curl');
    await sample.getByText('Python').click();
    expect(await page.locator('.choice pre').filter({ visible: true }).last().textContent()).toContain(
      'from heliograph import',
    );
    // Each operation of the reference has samples too.
    await page.goto(`${fixture.service.url}/docs/account/api-keys`);
    const samples = page.locator('.choice pre').filter({ visible: true });
    expect(await samples.count()).toBe(await page.locator('.choice').count());
    expect(await samples.first().textContent()).toContain('from heliograph import');
    await page.goto(`${fixture.service.url}/docs/guides/idempotency`);
    expect(await page.locator('.choice pre').filter({ visible: true }).first().textContent()).toContain('import json');
    expect(problems).toEqual([]);
    await page.context().close();

    const { page: plain } = await open('/docs/guides/quick-start', { javaScriptEnabled: false });
    await plain.locator('.choice').first().getByText('Node.js').click();
    expect(await plain.locator('.choice').first().locator('.chosen-js pre').isVisible()).toBe(true);
    await plain.context().close();
  });

  it('has a menu on phones', async () => {
    const { page } = await open('/docs/account/organization', { viewport: PHONE });
    const menu = page.locator('nav');
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'Members' }).click();
    await page.waitForURL('**/docs/account/members');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Members and invitations');
    await page.context().close();
  });

  it('works without JavaScript', async () => {
    const { page } = await open('/docs', { javaScriptEnabled: false, viewport: PHONE });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('nav').getByText('Account', { exact: true }).click();
    await page.locator('nav').getByRole('link', { name: 'API keys' }).click();
    await page.waitForURL('**/docs/account/api-keys');
    await page.getByRole('searchbox').fill('send');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=send');
    expect(await page.locator('main li').count()).toBeGreaterThan(0);
    await page.context().close();
  });
});
