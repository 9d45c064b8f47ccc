import { readFileSync } from 'node:fs';
import { sharedBrowser, takeScreenshot, unique } from '@heliograph/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { AccountFixture, PASSWORD, type Tenant } from './account-fixture';
import { address, AuthCalls, NEXT } from './auth-calls';
import { codeOf, timeInStep } from './authenticator-app';
import { MailTap } from './mail-tap';

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

describe('the pages of links in emails in a browser', () => {
  let fixture: AccountFixture;
  let mails: MailTap;
  let auth: AuthCalls;
  let tenant: Tenant;
  let browser: Browser;
  let context: BrowserContext | null = null;
  beforeAll(async () => {
    fixture = await AccountFixture.start({ REGISTRATION: 'open' });
    mails = await MailTap.on(fixture);
    auth = new AuthCalls(fixture, mails);
    tenant = await fixture.tenant();
    browser = await sharedBrowser();
  });
  afterEach(async () => {
    await context?.close();
    context = null;
  });
  afterAll(async () => {
    await mails.stop();
    await fixture.stop();
  });

  /** Opens a path without scripts. */
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    await context?.close();
    context = await browser.newContext({ viewport: DESKTOP, javaScriptEnabled: false, ...options });
    const page = await context.newPage();
    await page.goto(fixture.service.url + path);
    return page;
  };
  /** The path and query of the link in the newest email, which leads to the public address. */
  const linkOf = async (email: string, purpose: 'email-verification' | 'password-reset' | 'invitation', count = 1) => {
    const { content } = await mails.newest(email, purpose, count);
    const link = new URL(/https?:\/\/\S+token=[\w-]{43}/.exec(content.text)![0]);
    expect(link.origin).toBe('http://console.example');
    return link.pathname + link.search;
  };
  const registered = async () => {
    const email = address();
    await auth.register({ email });
    return { email, link: await linkOf(email, 'email-verification') };
  };
  const resetLink = async (email = tenant.owner.email) => {
    await fixture.database.query('DELETE FROM users.password_resets');
    const count = mails.to(email).filter(({ data }) => data.purpose === 'password-reset').length;
    await auth.post('/reset-password', { email });
    return linkOf(email, 'password-reset', count + 1);
  };
  const invitationLink = async (email: string, role = 'member') => {
    await fixture.call('POST', '/api/organization/invitations', { key: tenant.key, body: { email, role } });
    return linkOf(email, 'invitation');
  };
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const problem = (page: Page) => page.locator('.refused').textContent();

  it('verify an address when the button is pressed, and only once', async () => {
    const { email, link } = await registered();
    expect(link).toMatch(/^\/console\/verify-email\?token=/);
    const page = await open(link);
    expect(await heading(page)).toBe('Verify your email address');
    expect(await page.locator('dl').textContent()).toContain(email);
    await page.reload();
    expect((await auth.login(email)).user.email_verified).toBe(false);
    await press(page, 'Verify email address');
    expect(await heading(page)).toBe('Your email address is verified');
    expect(page.url()).not.toContain('token');
    expect((await auth.login(email)).user.email_verified).toBe(true);
    await page.goto(fixture.service.url + link);
    expect(await heading(page)).toBe('This link does not work');
  });

  it('keep the session of the browser that verifies the address, and no other', async () => {
    const { email, link } = await registered();
    const own = await fixture.login(email);
    const other = await fixture.login(email);
    const page = await open('/console/reset-password');
    const [name = '', value = ''] = own.split('=');
    await context!.addCookies([{ name, value, url: fixture.service.url }]);
    await page.goto(fixture.service.url + link);
    await press(page, 'Verify email address');
    expect(await heading(page)).toBe('Your email address is verified');
    const status = async (cookie: string) => (await fixture.call('GET', '/api/auth/session', { cookie })).status;
    expect([await status(own), await status(other)]).toEqual([200, 401]);
  });

  it('send a new verification link for one that does not work', async () => {
    const { email } = await registered();
    await fixture.database.query(`UPDATE users.email_verifications SET expires_at = now() - interval '1 second'`);
    const page = await open(`/console/verify-email?token=${'x'.repeat(43)}`);
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Send a new link');
    expect(await heading(page)).toBe('Check your mailbox');
    await page.goto(fixture.service.url + (await linkOf(email, 'email-verification', 2)));
    await press(page, 'Verify email address');
    expect((await auth.login(email)).user.email_verified).toBe(true);
  });

  it('set a new password, after a refused one, with the keyboard', async () => {
    const { email } = (await fixture.tenant()).owner;
    const link = await resetLink(email);
    expect(link).toMatch(/^\/console\/reset-password\?token=/);
    const page = await open(link);
    expect(await page.locator('[autocomplete=username]').inputValue()).toBe(email);
    expect(await page.locator('dl').textContent()).toContain(email);
    await page.getByLabel('New password').fill('iloveyou1');
    await page.keyboard.press('Enter');
    await page.locator('.refused').waitFor();
    expect(await problem(page)).toContain('Password is one of the most common passwords');
    expect(await page.getByLabel('New password').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await page.getByLabel('New password').fill(NEXT);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
    await fixture.login(email, NEXT);
    await page.goto(fixture.service.url + link);
    expect(await heading(page)).toBe('This link does not work');
  });

  it('request a reset link', async () => {
    const { email } = (await fixture.tenant()).owner;
    const page = await open('/console/reset-password');
    await page.getByLabel('Email address').fill(email);
    await press(page, 'Send the link');
    expect(await heading(page)).toBe('Check your mailbox');
    await page.goto(fixture.service.url + (await linkOf(email, 'password-reset')));
    expect(await heading(page)).toBe('Choose a new password');
  });

  it('accept an invitation with a new account', async () => {
    const email = `guest-${unique()}@example.com`;
    const link = await invitationLink(email);
    expect(link).toMatch(/^\/console\/invitations\/accept\?token=/);
    const page = await open(link);
    expect(await heading(page)).toMatch(/^Join /);
    await page.getByLabel('Your name').fill('Ann www.evil.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Create account and join');
    expect(await problem(page)).toContain('Name must be 1 to 200 characters without links');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ann www.evil.example');
    await page.getByLabel('Your name').fill('Ann');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Create account and join');
    expect(await heading(page)).toBe('You have joined the organization');
    const cookies = await context!.cookies();
    const session = cookies.find(({ name }) => name === 'session')!;
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const current = await fixture.call('GET', '/api/auth/session', { cookie: `session=${session.value}` });
    expect(current.data).toMatchObject({ user: { email, name: 'Ann' }, workspace: { id: tenant.workspace.id } });
    await page.goto(fixture.service.url + link);
    expect(await heading(page)).toBe('This invitation does not work');
  });

  it('accept an invitation with an existing account, its password and its second factor', async () => {
    const { owner } = await fixture.tenant();
    const cookie = await fixture.login(owner.email);
    await timeInStep();
    const enrolled = await fixture.call<{ secret: string }>('POST', '/api/auth/mfa', {
      cookie,
      body: { password: PASSWORD },
    });
    const { secret } = enrolled.data;
    await fixture.call('POST', '/api/auth/mfa/confirm', { cookie, body: { code: codeOf(secret, -1) } });
    const page = await open(await invitationLink(owner.email));
    expect(await page.getByLabel('Your name').count()).toBe(0);
    const join = async (password: string, code?: string) => {
      await page.getByLabel('Password').fill(password);
      if (code !== undefined) await page.getByLabel('Code').fill(code);
      await press(page, 'Log in and join');
    };
    await join('not the password');
    expect(await problem(page)).toContain('The password or the code is wrong');
    await join(PASSWORD);
    expect(await problem(page)).toContain('Enter a code from your authenticator app');
    await join(PASSWORD, codeOf(secret));
    expect(await heading(page)).toBe('You have joined the organization');
  });

  it('say what happened after a payment', async () => {
    expect(await heading(await open('/console/credits/completed'))).toBe('Thank you for your purchase');
    expect(await heading(await open('/console/credits/canceled'))).toBe('The purchase was not completed');
  });

  it('load nothing else, set no cookie before a login, and keep the token from other sites', async () => {
    const { link } = await registered();
    const page = await open('/console/reset-password');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.resourceType()} ${request.headers()['referer'] ?? ''}`));
    const response = await page.goto(fixture.service.url + link);
    expect(requests).toEqual(['document ']);
    expect(await context!.cookies()).toEqual([]);
    const headers = response!.headers();
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site without Origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuse forms of %s with a page, and change nothing', async (_, headers) => {
    const { email, link } = await registered();
    const token = link.split('token=')[1]!;
    for (const path of [
      'verify-email',
      'verify-email/link',
      'reset-password',
      'reset-password/link',
      'invitations/accept',
    ]) {
      const response = await fetch(`${fixture.service.url}/console/${path}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ token, email, password: NEXT, name: 'Eve' }),
      });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        403,
        'text/html; charset=utf-8',
      ]);
      expect(await response.text()).toContain('The form was sent from another site');
    }
    expect((await auth.login(email)).user.email_verified).toBe(false);
  });

  it('accept forms from their public address, also if PUBLIC_ORIGINS names another one', async () => {
    const other = await fixture.beside({ PUBLIC_ORIGINS: 'https://app.example' });
    try {
      const { email, link } = await registered();
      const send = (origin: string) =>
        fetch(`${other.service.url}/console/verify-email`, {
          method: 'POST',
          headers: { origin },
          body: new URLSearchParams({ token: link.split('token=')[1]! }),
        });
      expect((await send(other.service.url)).status).toBe(403);
      expect((await send('http://console.example')).status).toBe(200);
      expect((await auth.login(email)).user.email_verified).toBe(true);
    } finally {
      await other.service.stop();
    }
  });

  it('answer hostile tokens and forms with a page', async () => {
    for (const token of ['', '%00', 'x'.repeat(5_000), '<script>', '%22%3E%3Cscript%3Ealert(1)%3C/script%3E']) {
      for (const path of ['verify-email', 'invitations/accept', 'reset-password']) {
        const response = await fetch(`${fixture.service.url}/console/${path}?token=${token}&utm_source=mail`);
        expect([path, token.slice(0, 9), response.status < 500]).toEqual([path, token.slice(0, 9), true]);
        const html = await response.text();
        expect(html).toMatch(/^<!doctype html>/);
        expect(html).not.toContain('<script');
      }
    }
    for (const body of ['token=%00', `token=${'x'.repeat(30_000)}`, '', 'password=x&password=y', '%%%']) {
      const response = await fetch(`${fixture.service.url}/console/reset-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
      expect([400, 404, 413, 422]).toContain(response.status);
      expect(await response.text()).toMatch(/^<!doctype html>/);
    }
  });

  it('show the name of an organization as text', async () => {
    const name = '"><img src=x>&lt;\u202egnp';
    await fixture.database.query('UPDATE tenancy.organizations SET name = $2 WHERE id = $1', [
      tenant.organizationId,
      name,
    ]);
    const page = await open(await invitationLink(`guest-${unique()}@example.com`));
    expect(await heading(page)).toBe('Join "><img src=x>&lt;gnp');
    expect(await page.locator('img').count()).toBe(0);
    await fixture.database.query('UPDATE tenancy.organizations SET name = $2 WHERE id = $1', [
      tenant.organizationId,
      'Acme & Söhne International Messaging Services GmbH',
    ]);
  });

  it.each(LOOKS)('are accessible and fit the screen on a $device in $colorScheme', async (look) => {
    const { colorScheme, device, viewport } = look;
    const options = { colorScheme, viewport, bypassCSP: true, javaScriptEnabled: true };
    const check = async (page: Page, state: string) => {
      await takeScreenshot(page, `console-${state}-${device}-${colorScheme}`);
      await page.evaluate(axe);
      const violations = await page.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
      );
      expect([state, violations]).toEqual([state, []]);
      expect([state, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([state, true]);
    };
    const verify = await open((await registered()).link, options);
    await check(verify, 'verify');
    await press(verify, 'Verify email address');
    await check(verify, 'verified');
    await check(await open('/console/verify-email?token=x', options), 'verify-invalid');
    await check(await open('/console/reset-password', options), 'reset-request');
    const reset = await open(await resetLink(), options);
    await check(reset, 'reset');
    await reset.getByLabel('New password').fill('password1');
    await press(reset, 'Save password');
    await check(reset, 'reset-refused');
    const invitation = await open(await invitationLink(`a-guest-with-a-long-name-${unique()}@example.com`), options);
    await check(invitation, 'invitation');
    await check(await open('/console/credits/completed', options), 'purchase-completed');
    await check(await open('/console/credits/canceled', options), 'purchase-canceled');
  });
});
