import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { StackProcess } from '@heliograph/harness';
import { sharedBrowser, takeScreenshot, unique, until } from '@heliograph/testing';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = { width: 1_440, height: 900 };
const PHONE = { width: 375, height: 812 };
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [['desktop', DESKTOP] as const, ['phone', PHONE] as const].map(([device, viewport]) => ({
    colorScheme,
    device,
    viewport,
  })),
);
const OWNER = 'owner@demo.example';
const VIEWER = 'viewer@demo.example';
const PASSWORD = 'correct horse battery staple';
const NEXT_PASSWORD = 'another good long password';

let stack: StackProcess;
let output: string;
let browser: Browser;
let context: BrowserContext | null = null;
/** Violations of the Content-Security-Policy and errors of the page. */
let problems: string[] = [];

beforeAll(async () => {
  // All tests sign in from one network.
  stack = await StackProcess.prepare({ ACCOUNT_AUTH_RATE_PER_MINUTE: '1000' });
  [{ output }, browser] = await Promise.all([stack.start(), sharedBrowser()]);
}, 90_000);
afterEach(async () => {
  await context?.close();
  context = null;
  expect(problems).toEqual([]);
});
afterAll(() => stack.remove());

const address = (route: string) => `http://localhost:${stack.port}${route}`;

/** Opens a screen in a new browser profile, or in the last one. */
async function open(route: string, options?: BrowserContextOptions): Promise<Page> {
  if (options || !context) {
    await context?.close();
    context = await browser.newContext({ viewport: DESKTOP, ...options });
    problems = [];
  }
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted ?Types?/i.test(message.text())) problems.push(message.text());
  });
  await page.goto(address(route));
  return page;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Email address').fill(email);
  await field(page, 'Password').fill(password);
  await page.keyboard.press('Enter');
}

/** Opens a screen as a user of the demo data. */
async function openAs(email: string, route: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await open(route, options);
  await signIn(page, email);
  await page.getByRole('navigation', { name: 'Main navigation' }).or(page.locator('.topbar')).first().waitFor();
  return page;
}

/** The path of the link in the newest email to an address, when it has arrived. */
async function linkTo(email: string, route: string): Promise<string> {
  const find = async () => {
    const { messages } = (await stack.control('GET', `/mailbox/messages?to=${encodeURIComponent(email)}`)) as {
      messages: object[];
    };
    return new RegExp(`${route}\\?token=[\\w-]{43}`).exec(JSON.stringify(messages))?.[0];
  };
  return until('the email has arrived', find);
}

/** Calls an API as a user of the demo data. */
async function call<T>(method: string, route: string, cookie: string | null, body?: object): Promise<T> {
  const response = await fetch(address(route), {
    method,
    headers: {
      'content-type': 'application/json',
      origin: address(''),
      ...(cookie === null ? {} : { cookie }),
      'idempotency-key': unique(),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.data;
}

async function cookieOf(email: string): Promise<string> {
  const response = await fetch(address('/api/auth/login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('session='))!
    .split(';')[0]!;
}

/** Registers a user over the API. */
async function register(): Promise<string> {
  const email = `new-${unique()}@example.com`;
  await call('POST', '/api/v1/auth/register', null, {
    name: 'Ann Example',
    email,
    password: PASSWORD,
    organization: 'Acme & Söhne',
  });
  return email;
}

describe('the files of the console', () => {
  it('are served with a strict policy, and their names change with their content', async () => {
    expect(output).toContain(address('/console'));
    expect(output).toContain(OWNER);
    const page = await fetch(address('/console/any/screen'));
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?! type="module" src=)|<style/);
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)![1]!;
    const asset = await fetch(address(script), { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(asset.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
    });
    const unknown = await fetch(address('/console/assets/main-AAAAAAAA.js'));
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    for (const name of ['..%2findex.html', '..%2f..%2fmain.js', 'x'.repeat(2_000)]) {
      expect([name, (await fetch(address(`/console/assets/${name}`))).status]).toEqual([name, 404]);
    }
  });

  it('stay within the budgets: 180 kB for the first page, and 60 kB more for each screen', async () => {
    const folder = path.resolve(__dirname, '../../../dist/tools/local-stack/console');
    const sizeOf = async (names: string[]) => {
      const files = await Promise.all(names.map((name) => readFile(path.join(folder, 'assets', name))));
      return files.reduce((total, file) => total + brotliCompressSync(file).length, 0);
    };
    const modules = JSON.parse(await readFile(path.join(folder, 'modules.json'), 'utf8')) as {
      first: string[];
      later: Record<string, string[]>;
    };
    const shell = modules.later['shell/shell.tsx']!;
    expect(await sizeOf([...modules.first, ...modules.later['features/auth/sign-in-page.tsx']!])).toBeLessThan(180_000);
    for (const [name, files] of Object.entries(modules.later)) {
      // The shell is already there when a screen is opened.
      const further = name === 'shell/shell.tsx' ? files : files.filter((file) => !shell.includes(file));
      expect([name, (await sizeOf(further)) < 60_000]).toEqual([name, true]);
    }
  });
});

describe('a person who signs in', () => {
  it('returns to the screen that was asked for, also after the session has ended', async () => {
    const page = await open('/console/developers/api-keys?create=true', {});
    await heading(page, 'Sign in');
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
    await signIn(page, OWNER, 'wrong');
    await page.getByText('The email address or the password is wrong.').waitFor();
    await signIn(page, OWNER);
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    await context!.clearCookies();
    await page.getByRole('textbox', { name: 'Name' }).fill('late');
    await page.keyboard.press('Enter');
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, OWNER);
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/developers/api-keys?create=true');
  });

  it('keeps no secret in the storage and the address of the browser', async () => {
    const page = await openAs(OWNER, '/console', {});
    const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    const cookies = (await context!.cookies()).map(({ value }) => value);
    for (const secret of [PASSWORD, ...cookies]) expect(stored + page.url()).not.toContain(secret);
    expect(await context!.cookies()).toContainEqual(
      expect.objectContaining({ name: 'session', httpOnly: true, sameSite: 'Lax' }),
    );
  });

  it('enters a code of the second factor', async () => {
    const email = await register();
    const link = await linkTo(email, '/console/verify-email');
    const token = link.split('token=')[1]!;
    await fetch(address('/api/v1/auth/verify-email'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const cookie = await cookieOf(email);
    const { secret } = await call<{ secret: string }>('POST', '/api/auth/mfa', cookie, { password: PASSWORD });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const at = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await call('POST', '/api/auth/mfa/confirm', cookie, { code: at(-1) });
    const page = await open('/console/sign-in', {});
    await signIn(page, email);
    await heading(page, 'Enter your code');
    expect(await field(page, 'Code').getAttribute('autocomplete')).toBe('one-time-code');
    await field(page, 'Code').fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong').waitFor();
    await field(page, 'Code').fill(at(0));
    await page.keyboard.press('Enter');
    await heading(page, 'API keys');
  });

  it('signs out from the menu of the account, and then has no access', async () => {
    const page = await openAs(OWNER, '/console', {});
    await press(page, 'Your account: Demo Owner');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.goBack();
    await heading(page, 'Sign in');
  });
});

describe('a person without an account', () => {
  it('registers, verifies the address and creates a key, with the keyboard', async () => {
    const email = `new-${unique()}@example.com`;
    const page = await open('/console/register', {});
    await heading(page, 'Create your account');
    for (const value of ['Ann', 'Acme', email, 'password1']) {
      await page.keyboard.type(value);
      await page.keyboard.press('Tab');
    }
    await field(page, 'Password').press('Enter');
    await page.getByText('Password is one of the most common passwords').waitFor();
    await field(page, 'Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Check your mailbox');
    await press(page, 'Go to the console');
    await heading(page, 'API keys');
    await press(page, 'Create API key');
    await page.getByRole('textbox', { name: 'Name' }).fill('early');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send the verification email again' }).waitFor();
    const link = await linkTo(email, '/console/verify-email');
    await page.goto(address(link));
    await heading(page, 'Verify your email address');
    expect(page.url()).not.toContain('token');
    await press(page, 'Verify email address');
    await heading(page, 'Your email address is verified');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('No API keys yet').waitFor();
    await page.goto(address(link));
    await press(page, 'Verify email address');
    await heading(page, 'This link does not work');
    await field(page, 'Email address').fill(email);
    await press(page, 'Send a new link');
    await heading(page, 'Check your mailbox');
  });

  it('accepts an invitation', async () => {
    const email = `guest-${unique()}@example.com`;
    await call('POST', '/api/organization/invitations', await cookieOf(OWNER), { email, role: 'viewer' });
    const page = await open(await linkTo(email, '/console/invitations/accept'), {});
    await heading(page, 'Join Demo');
    expect(page.url()).not.toContain('token');
    await field(page, 'Your name').fill('Ann www.evil.example');
    await field(page, 'Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('without links').waitFor();
    await field(page, 'Your name').fill('Ann');
    await page.keyboard.press('Enter');
    await page.getByText('You have joined Demo.').waitFor();
    await heading(page, 'API keys');
    await page.goto(address('/console/invitations/accept?token=x'));
    await heading(page, 'This invitation does not work');
  });

  it('chooses a new password', async () => {
    const email = await register();
    const page = await open('/console/sign-in', {});
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Choose a new password');
    await field(page, 'Email address').fill(email);
    await page.keyboard.press('Enter');
    await heading(page, 'Check your mailbox');
    await page.goto(address(await linkTo(email, '/console/reset-password')));
    await heading(page, 'Choose a new password');
    await field(page, 'New password').fill('iloveyou1');
    await page.keyboard.press('Enter');
    await page.getByText('most common passwords').waitFor();
    await field(page, 'New password').fill(NEXT_PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Your password was changed');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email, NEXT_PASSWORD);
    await heading(page, 'API keys');
  });
});

describe('API keys', () => {
  it('are created with scopes and an expiry, rotated and revoked', async () => {
    const page = await openAs(OWNER, '/console/developers/api-keys', {});
    await press(page, 'Create API key');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('checkout');
    for (const scope of ['Read emails', 'Send chat-app messages', 'Read chat-app messages', 'Send SMS', 'Read SMS']) {
      await dialog.getByText(scope, { exact: true }).click();
    }
    await dialog.getByRole('button', { name: /Expires/ }).click();
    await page.getByRole('option', { name: 'In 90 days' }).click();
    await press(page, 'Create key');
    await heading(page, 'Save your API key');
    const key = (await page.getByRole('group', { name: 'API key' }).locator('code').textContent())!;
    expect(await callWith(key)).toBe(200);
    // Neither Escape nor a click beside the dialog loses the secret.
    await page.keyboard.press('Escape');
    await press(page, 'Done');
    const row = page.getByRole('row', { name: /checkout/ });
    expect(await row.textContent()).toContain('Send emails');
    expect(await page.content()).not.toContain(key);

    await press(page, 'Actions for checkout');
    await page.getByRole('menuitem', { name: 'Rotate…' }).click();
    await press(page, 'Rotate key');
    await heading(page, 'Save your API key');
    const rotated = (await page.getByRole('group', { name: 'API key' }).locator('code').textContent())!;
    expect([rotated === key, await callWith(rotated), await callWith(key)]).toEqual([false, 200, 200]);
    await press(page, 'Done');
    await row.getByText('Rotating').waitFor();

    await press(page, 'Actions for checkout');
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    await press(page, 'Revoke key');
    await page.getByText('checkout was revoked.').waitFor();
    await row.getByText('Revoked').waitFor();
    await until('the key is refused', async () => (await callWith(rotated)) === 401);
  });

  it('are created with the keyboard alone', async () => {
    const page = await openAs(OWNER, '/console', {});
    await heading(page, 'API keys');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    await page.keyboard.type('create');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await heading(page, 'Save your API key');
    // The dialog that closes gives the focus away while the next one opens.
    await page.waitForFunction(
      "document.activeElement.closest('[role=dialog]')?.textContent.includes('Save your API key')",
    );
    await page.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /by keyboard/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('cannot be changed by a viewer, and a failed request can be repeated', async () => {
    const page = await openAs(VIEWER, '/console/developers/api-keys', {});
    await heading(page, 'This could not be loaded');
    expect(await page.getByRole('button', { name: 'Create API key' }).count()).toBe(0);
    expect(await page.getByRole('alert').textContent()).toContain('lacks the permission keys:read');
  });

  it('show what failed, and load again', async () => {
    const page = await openAs(OWNER, '/console/developers/api-keys', {});
    await page.getByRole('row', { name: /everything/ }).waitFor();
    await page.route('**/api/organization/api-keys*', (route) => route.abort());
    await page.reload();
    await page.getByText('The connection to the server failed.').waitFor();
    await page.unroute('**/api/organization/api-keys*');
    await press(page, 'Try again');
    await page.getByRole('row', { name: /everything/ }).waitFor();
  });
});

/** The status of a call with an API key. */
async function callWith(key: string): Promise<number> {
  return (await fetch(address('/api/me'), { headers: { authorization: `Bearer ${key}` } })).status;
}

describe('messages', () => {
  const TO = '+919812345670';
  /** Sends a message of the demo data with a session, as the console does. */
  const send = async (to: string) => {
    const cookie = await cookieOf(OWNER);
    const [sender] = (await list('/api/organization/sms/senders', cookie))['senders'] as { id: string }[];
    const [template] = (await list('/api/organization/sms/templates', cookie))['templates'] as { id: string }[];
    const response = await fetch(address('/api/v1/sms/send'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address(''), cookie, 'idempotency-key': unique() },
      body: JSON.stringify({ to, sender_id: sender!.id, template_id: template!.id, variables: { code: '123456' } }),
    });
    const answer = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer.id;
  };
  const list = (route: string, cookie: string) => call<Record<string, unknown>>('GET', route, cookie);

  it('appear by themselves, and show their timeline until they are delivered', async () => {
    const page = await openAs(OWNER, '/console/messages', {});
    await heading(page, 'Messages');
    const id = await send(TO);
    const row = page.getByRole('row', { name: TO }).first();
    await row.getByText('Delivered').waitFor();
    await row.click();
    const dialog = page.getByRole('dialog', { name: 'Message' });
    await dialog.locator('.timeline-success').first().waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(id);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('open')).toBeNull();
  });

  it('are found with the keyboard by their recipient, and the address of the page keeps the filters', async () => {
    const other = '+919812345671';
    await send(other);
    const page = await openAs(VIEWER, '/console', {});
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await heading(page, 'Messages');
    await page.getByRole('row', { name: other }).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(other);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('query') !== null);
    await page.reload();
    await page.getByRole('row', { name: other }).first().waitFor();
    expect(await page.getByRole('row', { name: TO }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Recipient' }).fill('+919800000000');
    await page.keyboard.press('Enter');
    await heading(page, 'No message matches the filters');
    await press(page, 'Clear the filters');
    await page.getByRole('row', { name: TO }).first().waitFor();
    await page.getByRole('row', { name: other }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Message' }).waitFor();
    await page.keyboard.press('Escape');
  });
});

/** Resolves when nothing fades any more: axe measures the contrast of what it sees at that moment. */
async function animationsEnd(page: Page): Promise<void> {
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))',
  );
}

describe('every screen', () => {
  it.each(LOOKS)('is accessible and fits the screen on a $device in $colorScheme', async (look) => {
    const { colorScheme, device, viewport } = look;
    const options = { colorScheme, viewport, bypassCSP: true };
    const check = async (page: Page, state: string) => {
      await animationsEnd(page);
      await takeScreenshot(page, `console-${state}-${device}-${colorScheme}`);
      await page.evaluate(axe);
      const violations = await page.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
      );
      expect([state, violations]).toEqual([state, []]);
      expect([state, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([state, true]);
    };
    const screens: [string, string][] = [
      ['/console/register', 'Create your account'],
      ['/console/verify-email?token=x', 'Verify your email address'],
      ['/console/reset-password', 'Choose a new password'],
      ['/console/reset-password?token=x', 'Choose a new password'],
      ['/console/credits/completed', 'Thank you for your purchase'],
      ['/console/credits/canceled', 'The purchase was not completed'],
      ['/console/design', 'Design'],
    ];
    const page = await open('/console', options);
    await heading(page, 'Sign in');
    await check(page, 'sign-in');
    for (const [route, title] of screens) {
      await page.goto(address(route));
      await heading(page, title);
      await check(page, title.toLowerCase().replaceAll(' ', '-'));
    }
    await page.goto(address('/console/messages'));
    await signIn(page, OWNER);
    await page.getByRole('row').nth(1).waitFor();
    await check(page, 'messages');
    await page.getByRole('row').nth(1).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await check(page, 'message');
    await page.goto(address('/console/developers/api-keys'));
    await page.getByRole('row', { name: /everything/ }).waitFor();
    await check(page, 'api-keys');
    await press(page, 'Create API key');
    await page.getByRole('dialog').waitFor();
    await check(page, 'create-key');
    await press(page, 'Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await check(page, 'palette');
  });
});
