import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { installCli, StackProcess } from '@heliograph/harness';
import { sharedBrowser, takeScreenshot, until } from '@heliograph/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = { width: 1_440, height: 900 };
const PHONE = { width: 375, height: 812 };
const PASSWORD = 'correct horse battery staple';

let stack: StackProcess;
let browser: Browser;
let folder: string;
let program: string;
let context: BrowserContext | null = null;
const running: ChildProcessByStdio<null, Readable, Readable>[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'device-'));
  // All logins come from one network.
  stack = await StackProcess.prepare({ ACCOUNT_AUTH_RATE_PER_MINUTE: '1000' });
  const [bin] = await Promise.all([installCli(folder), stack.start()]);
  program = path.join(bin, 'heliograph');
  browser = await sharedBrowser();
}, 120_000);
afterEach(async () => {
  for (const one of running.splice(0)) one.kill();
  await context?.close();
  context = null;
});
afterAll(async () => {
  await stack.remove();
  rmSync(folder, { recursive: true, force: true });
});

const address = (route: string) => `http://localhost:${stack.port}${route}`;

/** Starts `heliograph login`, with the address and the code that it prints, and its end. */
async function login(home: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], HELIOGRAPH_CONFIG_DIR: path.join(folder, home) };
  const started = spawn(program, ['login', '--json', '--base-url', address(''), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(started);
  let output = '';
  let errors = '';
  started.stdout.on('data', (chunk: Buffer) => (output += chunk));
  started.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  const ended = once(started, 'close').then(([status]) => ({ status: status as number, output, errors }));
  const link = await until('the address is printed', () => Promise.resolve(/or open (\S+)/.exec(errors)?.[1]));
  return {
    link,
    code: link.split('#')[1]!,
    ended,
    credentials: path.join(env.HELIOGRAPH_CONFIG_DIR, 'credentials.json'),
  };
}

/** Opens an address in a new profile, signs in, and waits for the page of the device. */
async function openAs(email: string, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect a device', exact: true }).waitFor();
  // The code is in no address that a server gets or a history keeps.
  const code = url.split('#')[1];
  if (code !== undefined) expect([...requested, page.url()].join(' ')).not.toContain(code);
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('heliograph login with the console', () => {
  it('gets a key with the scopes that the person has chosen, and stores it for the user only', async () => {
    const { link, code, ended, credentials } = await login('approved', '--scopes', 'sms:send', 'email:send');
    const page = await openAs('owner@demo.example', link);
    const form = page.locator('form');
    await form.getByText(code, { exact: true }).waitFor();
    const text = await form.innerText();
    for (const shown of [os.hostname(), 'Demo', 'Test: sends nothing to anyone', '127.0.0.1'])
      expect(text).toContain(shown);
    const isChosen = (scope: string) => form.getByRole('checkbox', { name: scope }).isChecked();
    expect([await isChosen('Send SMS'), await isChosen('Read SMS'), await isChosen('Send emails')]).toEqual([
      true,
      false,
      true,
    ]);
    await form.getByText('Send emails', { exact: true }).click();
    await press(page, 'Approve');
    await page.getByText('The device was approved.').waitFor();
    const { status, output } = await ended;
    expect(status).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ mode: 'test', file: credentials });
    expect(statSync(credentials).mode & 0o777).toBe(0o600);
    const { apiKey } = JSON.parse(readFileSync(credentials, 'utf8')) as { apiKey: string };
    expect(output).not.toContain(apiKey);
    const me = await fetch(address('/api/me'), { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await me.json()).toMatchObject({ scopes: ['sms:send'] });
    // The address works once.
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This code has expired or was already used.').waitFor();
  }, 60_000);

  it('gets a live key with all permissions of a role on a phone, after the code was typed', async () => {
    const { link, code, ended, credentials } = await login('typed', '--live');
    const options = { viewport: PHONE, colorScheme: 'dark' as const };
    const page = await openAs('owner@demo.example', link.split('#')[0]!, options);
    await page.getByRole('textbox', { name: 'Code' }).fill('WDJB-MJHT');
    await page.keyboard.press('Enter');
    await page.getByText('No device waits with this code.').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase().replace('-', ''));
    await page.keyboard.press('Enter');
    await page.getByText('Live: sends real messages').waitFor();
    await press(page, 'Approve');
    expect((await ended).status).toBe(0);
    const { apiKey } = JSON.parse(readFileSync(credentials, 'utf8')) as { apiKey: string };
    expect(apiKey).toMatch(/^msg_live_/);
    const workspaces = await fetch(address('/api/workspaces'), { headers: { authorization: `Bearer ${apiKey}` } });
    expect(workspaces.status).toBe(200);
  }, 60_000);

  it('fails if the person denies it', async () => {
    const { link, ended } = await login('denied');
    const page = await openAs('owner@demo.example', link);
    await press(page, 'Deny');
    await page.getByText('The login was denied.').waitFor();
    const { status, errors } = await ended;
    expect(status).toBe(3);
    expect(errors).toContain('The login was denied.');
  }, 60_000);

  it('fails when the code has expired, which the page says too', async () => {
    const { link, code, ended } = await login('expired');
    await stack.query(`UPDATE auth.device_logins SET expires_at = now() WHERE user_code = $1`, [code.replace('-', '')]);
    const page = await openAs('owner@demo.example', link);
    await page.getByText('This code has expired or was already used.').waitFor();
    await press(page, 'Enter another code');
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    const { status, errors } = await ended;
    expect(status).toBe(3);
    expect(errors).toContain('The code has expired.');
  }, 60_000);

  it('is not approved by a person whose role cannot create keys', async () => {
    const { link } = await login('viewer');
    const page = await openAs('viewer@demo.example', link);
    await page.getByText('Your role cannot create API keys. Ask an owner or admin of Demo').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  }, 60_000);

  it.each([
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
    ['phone', 'light', PHONE],
    ['phone', 'dark', PHONE],
  ] as const)(
    'has an accessible page that fits the %s in %s',
    async (device, colorScheme, viewport) => {
      const { link } = await login(`look-${device}-${colorScheme}`);
      const page = await openAs('owner@demo.example', link, { colorScheme, viewport, bypassCSP: true });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await takeScreenshot(page, `console-device-${device}-${colorScheme}`);
      await page.evaluate(axe);
      const violations =
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))';
      expect(await page.evaluate(violations)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
    60_000,
  );
});
