import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeContexts, sharedBrowser } from '@heliograph/testing';
import type { Browser } from 'playwright-core';
import Stripe from 'stripe';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import { PaymentsSimulator } from './payments-simulator';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describe('the payment page', () => {
  let browser: Browser;
  let api: ControlApi;
  let hook: Server;
  let types: string[];
  let processor: Stripe;
  beforeAll(async () => {
    hook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        types.push((JSON.parse(Buffer.concat(chunks).toString()) as { type: string }).type);
        response.writeHead(200).end('{}');
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
    api = createControlApi({ payments: new PaymentsSimulator({ hookUrl, secret: 'whsec_x' }) });
    const port = await api.start();
    processor = new Stripe('sk_test', { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
    browser = await sharedBrowser();
  });
  beforeEach(() => {
    types = [];
  });
  afterAll(async () => {
    await closeContexts(browser);
    await api.stop();
    hook.closeAllConnections();
    hook.close();
  });

  const checkout = (name = '1000 sms credits', currency = 'inr', unitAmount = 20_000) =>
    processor.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example/thanks?a=1&b=2',
      cancel_url: 'https://shop.example/',
      line_items: [{ quantity: 1, price_data: { currency, unit_amount: unitAmount, product_data: { name } } }],
    });

  it.each([
    ['light', 1_200],
    ['dark', 360],
  ] as const)('is accessible and fits the screen in the %s color scheme at %i pixels', async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto((await checkout()).url ?? '');
    await page.evaluate(axe);
    const violations = await page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
    );
    expect(violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await context.close();
  });

  it('pays once with its button, and then links back to the shop', async () => {
    const page = await browser.newPage();
    const { id, url } = await checkout('<b>1000</b> sms credits');
    await page.goto(url ?? '');
    expect(await page.locator('h1').textContent()).toBe('<b>1000</b> sms credits');
    await page.getByRole('button', { name: 'Pay ₹200.00' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('The payment was received.');
    expect(await page.getByRole('link').getAttribute('href')).toBe('https://shop.example/thanks?a=1&b=2');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.reload();
    expect(types).toEqual(['checkout.session.completed']);
    expect(await processor.checkout.sessions.retrieve(id)).toMatchObject({
      payment_status: 'paid',
      status: 'complete',
    });
    await page.close();
  });

  it.each([
    ['huf', 100_000, 'Pay HUF 1,000.00'],
    ['jpy', 100_000, 'Pay ¥100,000'],
    ['kwd', 1_250, 'Pay KWD 1.250'],
  ])('shows %s in the minor units of the processor', async (currency, amount, label) => {
    const { url } = await checkout('credits', currency, amount);
    const page = await (await fetch(url ?? '')).text();
    expect(page.replaceAll('\u00a0', ' ')).toContain(label);
  });

  it('does not pay an expired checkout', async () => {
    const page = await browser.newPage();
    const { id, url } = await checkout();
    await processor.checkout.sessions.expire(id);
    await page.goto(url ?? '');
    expect(await page.getByRole('status').textContent()).toBe('This checkout has expired.');
    expect((await fetch(url ?? '', { method: 'POST' })).status).toBe(200);
    expect(types).toEqual(['checkout.session.expired']);
    await page.close();
  });

  it('is refunded in parts, up to the amount of the payment', async () => {
    const { id, url } = await checkout();
    await fetch(url ?? '', { method: 'POST' });
    const { payment_intent: payment } = await processor.checkout.sessions.retrieve(id);
    const refund = (amount?: number) =>
      processor.refunds.create({ payment_intent: String(payment), ...(amount ? { amount } : {}) });
    await refund(5_000);
    await refund();
    await expect(refund(1)).rejects.toThrow();
    expect(types).toEqual(['checkout.session.completed', 'charge.refunded', 'charge.refunded']);
  });

  it('is disputed and won or lost, through the control API', async () => {
    for (const status of ['won', 'lost']) {
      const { url } = await checkout();
      const dispute = async (body: object) =>
        (await fetch(`${url}/dispute`, { method: 'POST', body: JSON.stringify(body) })).status;
      expect(await dispute({})).toBe(409);
      await fetch(url ?? '', { method: 'POST' });
      expect([await dispute({ amount: 5_000 }), await dispute({ status }), await dispute({})]).toEqual([200, 200, 409]);
    }
    const each = ['checkout.session.completed', 'charge.dispute.created', 'charge.dispute.closed'];
    expect(types).toEqual([...each, ...each]);
  });
});
