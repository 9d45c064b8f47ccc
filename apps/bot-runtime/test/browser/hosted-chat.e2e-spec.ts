import { manageConversation, sayAsAgent } from '@heliograph/bot-conversations';
import { closeContexts, eventually, expectEventually, sharedBrowser, TcpProxy, until } from '@heliograph/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BotFixture } from '../bot-fixture';
import type { MadeBot } from '../make-bot';
import { builtWidgetDirectory } from './built-widget';
import { bubbles, composer, inContext, NINE_FIELDS, said, write } from './frame.fixture';

const HOURS = 'What are your opening hours?';
const NINE_TO_FIVE = '9 to 5, Monday to Friday.';

/** The hosted page of the real runtime on real servers. */
describe('the hosted page', () => {
  let browser: Browser;
  let bots: BotFixture;
  let bot: MadeBot;

  beforeAll(async () => {
    [browser, bots] = await Promise.all([
      sharedBrowser(),
      BotFixture.start({ widgetDirectory: await builtWidgetDirectory() }),
    ]);
    bot = await bots.bot({
      name: 'Acme Help',
      settings: { welcomeMessage: 'Welcome to Acme', branding: { color: '#0a7a5c' } },
      faqs: [{ id: 'hours', question: HOURS, answer: NINE_TO_FIVE }],
      knowledge: [
        { title: 'Returns', body: 'Goods can be returned within 30 days.', url: 'https://acme.example/returns' },
      ],
      shortcuts: [{ id: 'returns', label: 'Returns', command: '/returns', query: 'returns' }],
      forms: [{ id: 'details', title: 'Leave your details', keywords: ['demo'], fields: NINE_FIELDS.fields as never }],
    });
  });
  afterAll(async () => {
    await closeContexts(browser);
    await bots?.stop();
  });

  const open = async (context: BrowserContext, origin = bots.url): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${origin}/c/${bot.publicId}`);
    await bubbles(page).getByText('Welcome to Acme').waitFor();
    return page;
  };
  /** Returns the stored conversation of the page. */
  const conversationOf = async (page: Page) => {
    const stored = await until('the conversation is stored', () =>
      page.evaluate((key) => localStorage.getItem(key), `heliograph:${bot.publicId}`),
    );
    return bots.stored((JSON.parse(stored) as { id: string }).id);
  };
  const context = (conversationId: string) => ({ conversationId, correlationId: null });

  it('answers a question, on the channel and with the context of a hosted page', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await write(page, HOURS);
      await bubbles(page).getByText(NINE_TO_FIVE).waitFor();
      await expectEventually(() => said(page), [HOURS, NINE_TO_FIVE]);
      const { channel, client, lastSeq } = await conversationOf(page);
      expect(channel).toBe('hosted');
      expect(client).toMatchObject({ pageUrl: `${bots.url}/c/${bot.publicId}`, language: 'en-US' });
      expect(lastSeq).toBe(2);
    }));

  it('loads on a slow connection, and sends and shows each message once', () =>
    inContext(browser, async (tab) => {
      const page = await tab.newPage();
      const line = await tab.newCDPSession(page);
      // A very slow mobile connection: 50 kB/s download, 10 kB/s upload, 500 ms latency.
      const slow = { offline: false, latency: 500, downloadThroughput: 50_000, uploadThroughput: 10_000 };
      await line.send('Network.emulateNetworkConditions', slow);
      await page.goto(`${bots.url}/c/${bot.publicId}`);
      await write(page, HOURS);
      await composer(page).press('Enter');
      await write(page, '/returns');
      await bubbles(page).getByText('Goods can be returned within 30 days.').waitFor();
      await expectEventually(
        () => said(page),
        [HOURS, NINE_TO_FIVE, 'Returns', 'Goods can be returned within 30 days.'],
      );
      expect((await conversationOf(page)).lastSeq).toBe(4);
    }));

  it('offers shortcuts before the first message, and shows the sources of an answer', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await page.getByRole('button', { name: /^Returns/ }).click();
      await bubbles(page).getByText('Goods can be returned within 30 days.').waitFor();
      const source = page.locator('.sources').getByRole('link', { name: 'Returns' });
      expect(await source.getAttribute('href')).toBe('https://acme.example/returns');
    }));

  it('accepts a form with nine fields and shows the answers, also after a reload', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await write(page, 'demo');
      const field = (key: string) => page.locator(`[name="${key}"]`);
      await field('name').fill('Ada Lovelace');
      await field('email').fill('ada@acme.example');
      await field('phone').fill('+49 30 901820');
      await field('about').fill('Engines');
      await field('plan').selectOption('Pro');
      await field('day').fill('2026-12-24');
      await field('hour').fill('10:30');
      await field('seats').fill('2,5');
      await field('site').fill('acme.example');
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.locator('.form-summary').getByText('Ada Lovelace').waitFor();
      const { id } = await conversationOf(page);
      const [submission] = await bots.rows<{ answers: { key: string; value: unknown }[] }>(
        'SELECT answers FROM bots.submissions WHERE conversation_id = $1',
        [id],
      );
      expect(Object.fromEntries(submission!.answers.map(({ key, value }) => [key, value]))).toEqual({
        name: 'Ada Lovelace',
        email: 'ada@acme.example',
        phone: '+49 30 901820',
        about: 'Engines',
        plan: 'Pro',
        day: '2026-12-24',
        hour: '10:30',
        seats: 2.5,
        site: 'https://acme.example',
      });
      await page.reload();
      await page.locator('.form-summary').getByText('ada@acme.example').waitFor();
    }));

  it('shows an error that only the server can detect next to its field', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await write(page, 'demo');
      await page.locator('[name=email]').fill(`${'a'.repeat(80)}@acme.example`);
      for (const [key, value] of [
        ['name', 'A'],
        ['about', 'B'],
        ['day', '2026-12-24'],
        ['seats', '1'],
      ] as const) {
        await page.locator(`[name=${key}]`).fill(value);
      }
      await page.locator('[name=plan]').selectOption('Pro');
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.locator('.field-error').getByText('Enter an email address').waitFor();
    }));

  it('restores the conversation after a reload and shows it in a second tab', () =>
    inContext(browser, async (tab) => {
      const one = await open(tab);
      await write(one, HOURS);
      await bubbles(one).getByText(NINE_TO_FIVE).waitFor();
      await one.reload();
      await bubbles(one).getByText(NINE_TO_FIVE).waitFor();
      const two = await open(tab);
      await bubbles(two).getByText(NINE_TO_FIVE).waitFor();
      await write(two, 'Returns');
      await until(
        'both tabs show all messages',
        async () => (await said(one)).length === 4 && (await said(two)).length === 4,
      );
      await eventually(async () => expect(await said(one)).toEqual(await said(two)));
    }));

  it('shows the messages of an agent during a takeover, while the bot does not reply, until it is returned', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await write(page, HOURS);
      await bubbles(page).getByText(NINE_TO_FIVE).waitFor();
      const { id } = await conversationOf(page);
      await bots.dataSource.transaction((t) => manageConversation(t, context(id), { isTakenOver: true }));
      await bots.dataSource.transaction((t) =>
        sayAsAgent(t, context(id), { content: 'Maya here.', agentName: 'Maya' }),
      );
      await bubbles(page).getByText('Maya here.').waitFor();
      await page.getByText('You are talking with Maya').waitFor();
      await write(page, HOURS);
      await until('the message was accepted', async () => (await bots.stored(id)).lastSeq === 4);
      await expectEventually(() => said(page), [HOURS, NINE_TO_FIVE, 'Maya here.', HOURS]);
      await bots.dataSource.transaction((t) => manageConversation(t, context(id), { isTakenOver: false }));
      await until('the banner is hidden', async () => (await page.getByText('You are talking').count()) === 0);
      await bots.dataSource.transaction((t) => manageConversation(t, context(id), { status: 'closed' }));
      await page.getByText('Our team has closed this chat.').waitFor();
    }));

  it('can be ended, rated twice, and reopened', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      await write(page, HOURS);
      await bubbles(page).getByText(NINE_TO_FIVE).waitFor();
      await page.getByRole('button', { name: 'Chat options' }).click();
      await page.getByRole('button', { name: 'End chat' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
      await page.getByText('This chat has ended.').waitFor();
      await page.getByRole('radio', { name: '4 of 5' }).check();
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByRole('radio', { name: '2 of 5' }).check();
      await page.getByLabel('What could we do better?').fill('More hours.');
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await page.getByText('Thank you for your feedback.').waitFor();
      expect(await conversationOf(page)).toMatchObject({ status: 'ended', rating: 2, feedback: 'More hours.' });
      await page.reload();
      await page.getByText('Thank you for your feedback.').waitFor();
      await page.getByRole('button', { name: 'Reopen chat' }).click();
      await composer(page).waitFor();
      expect(await conversationOf(page)).toMatchObject({ status: 'open' });
    }));

  it('stores one question and one reply if the server returns 500 after the commit', () =>
    inContext(browser, async (tab) => {
      const page = await open(tab);
      let posts = 0;
      await page.route('**/messages', async (route) => {
        if (route.request().method() !== 'POST' || ++posts > 1) return route.fallback();
        await route.fetch();
        return route.fulfill({ status: 500, json: { ok: false, code: 'INTERNAL_ERROR', message: '' } });
      });
      await write(page, HOURS);
      await until('the message was sent again', () => posts === 2);
      await bubbles(page).getByText(NINE_TO_FIVE).waitFor();
      await until('no message is waiting', async () => (await page.locator('.entry-status').count()) === 0);
      await expectEventually(() => said(page), [HOURS, NINE_TO_FIVE]);
      expect((await conversationOf(page)).lastSeq).toBe(2);
    }));

  it('receives all messages after a connection outage, and delivers queued messages once and in order', () =>
    inContext(browser, async (tab) => {
      const proxy = await TcpProxy.start(bots.url);
      try {
        const page = await open(tab, new URL(proxy.through(bots.url)).origin);
        await write(page, HOURS);
        await bubbles(page).getByText(NINE_TO_FIVE).waitFor();
        const { id } = await conversationOf(page);
        proxy.cut();
        await write(page, 'first');
        await write(page, 'second');
        await page.getByText('Not sent yet').first().waitFor();
        await bots.dataSource.transaction((t) =>
          sayAsAgent(t, context(id), { content: 'Are you there?', agentName: 'Maya' }),
        );
        proxy.heal();
        await bubbles(page).getByText('Are you there?').waitFor();
        await until('all messages were accepted', async () => (await bots.stored(id)).lastSeq === 7, {
          timeoutMs: 50_000,
        });
        await until('all messages are shown', async () => (await said(page)).length === 7);
        const own = (await said(page)).filter((text) => ['first', 'second'].includes(text));
        expect(own).toEqual(['first', 'second']);
      } finally {
        await proxy.stop();
      }
    }));

  it('shows that an unknown bot is unavailable, without details', () =>
    inContext(browser, async (tab) => {
      const page = await tab.newPage();
      const answer = await page.goto(`${bots.url}/c/bot_unknown`);
      expect(answer?.status()).toBe(404);
      await page.getByRole('heading', { name: 'This chat is not available' }).first().waitFor();
      await expectEventually(() => composer(page).count(), 0);
    }));
});
