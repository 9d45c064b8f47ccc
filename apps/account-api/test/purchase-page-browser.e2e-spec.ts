import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createControlApi, PaymentsSimulator } from '@heliograph/simulators';
import { closeContexts, sharedBrowser } from '@heliograph/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { AccountFixture, type Tenant } from './account-fixture';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 375, height: 812 };

describe('the payment page of a purchase in a browser', () => {
  const received: string[] = [];
  let hook: Server;
  let fixture: AccountFixture;
  let tenant: Tenant;
  let browser: Browser;
  const processor = new PaymentsSimulator({
    hookUrl: () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
    secret: 'whsec_simulated',
  });
  const control = createControlApi({ payments: processor });
  beforeAll(async () => {
    // Receives the events of the processor, and is the shop to which the page leads back.
    hook = createServer((request, response) => {
      if (request.method !== 'POST') return void response.end('<title>Thanks</title>');
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push((JSON.parse(body) as { type: string }).type);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const port = await control.start();
    fixture = await AccountFixture.start({
      BILLING_SECRET_KEY: 'sk_test',
      BILLING_API_URL: `http://127.0.0.1:${port}`,
      PUBLIC_ORIGINS: shop(),
    });
    await fixture.database.query(
      `INSERT INTO billing.credit_packages (key, credit_type, credits, amount, currency)
       VALUES ('sms-1000', 'sms', 1000, 20000, 'INR')`,
    );
    tenant = await fixture.tenant();
    browser = await sharedBrowser();
  });
  beforeEach(() => received.splice(0));
  afterAll(async () => {
    await closeContexts(browser);
    await fixture?.stop();
    await control.stop();
    hook.closeAllConnections();
    hook.close();
  });

  const shop = () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  const buy = async () => {
    const answer = await fixture.v1<{ checkout_url: string }>('POST', '/api/v1/credits/purchase', {
      key: tenant.key,
      body: {
        credit_type: 'sms',
        package: 'sms-1000',
        quantity: 3,
        success_url: `${shop()}/thanks`,
        cancel_url: `${shop()}/cart`,
      },
    });
    return answer.checkout_url;
  };
  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext({ viewport: DESKTOP, ...options })).newPage();
    await page.goto(url);
    return page;
  };

  it('pays with its one button, once, and leads back', async () => {
    const url = await buy();
    const page = await open(url);
    expect(await page.getByRole('button').count()).toBe(1);
    await page.getByRole('button', { name: 'Pay ₹600.00' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The payment was received.' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.goto(url);
    await page.getByRole('status').filter({ hasText: 'The payment was received.' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${shop()}/thanks`);
    expect(received).toEqual(['checkout.session.completed']);
    await page.context().close();
  });

  it('is paid once by two tabs', async () => {
    const url = await buy();
    const tabs = [await open(url), await open(url)];
    await Promise.all(tabs.map((tab) => tab.getByRole('button').click()));
    for (const tab of tabs) {
      await tab.getByRole('status').filter({ hasText: 'The payment was received.' }).waitFor();
      await tab.context().close();
    }
    expect(received).toEqual(['checkout.session.completed']);
  });

  it('leads back without a payment, and says that it has expired', async () => {
    const url = await buy();
    const page = await open(url);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(`${shop()}/cart`);
    expect(received).toEqual([]);
    await fetch(`${url}/expire`, { method: 'POST' });
    await page.goto(url);
    await page.getByRole('status').filter({ hasText: 'This checkout has expired.' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ['on a desktop in the light theme', { viewport: DESKTOP, colorScheme: 'light' }],
    ['on a phone in the dark theme', { viewport: PHONE, colorScheme: 'dark' }],
  ] as const)('is accessible %s', async (_, options) => {
    const page = await open(await buy(), { ...options, bypassCSP: true });
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.context().close();
  });
});
