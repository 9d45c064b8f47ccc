import { closeContexts, expectEventually, sharedBrowser, takeScreenshot } from '@heliograph/testing';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BOT_ID, inContext, NINE_FIELDS, openHosted, openInHost, pageData, remember } from './frame.fixture';
import { StandInRuntime, type StandInMessage } from './frame-stand-in.fixture';

/**
 * Every state of the chat in both color schemes and both directions: axe finds no violations. TEST_SCREENSHOTS=true writes
 * a screenshot of each state.
 */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let runtime: StandInRuntime;

const ENGLISH = {
  name: 'Acme Help',
  welcome: 'Hi there! Ask me anything about orders, returns and delivery.',
  question: 'Can I send shoes back that I have worn once?',
  answer:
    'Yes, as long as they are **clean** and in their box. You have:\n\n- 30 days to tell us\n- 14 more days to send them\n\nStart at [your orders](https://acme.example/orders).',
  more: 'How long does the refund take?',
  agent: 'Hello, this is Maya. I have just refunded your order, it arrives within two days.',
};
const ARABIC: typeof ENGLISH = {
  name: 'مساعدة أكمي',
  welcome: 'مرحبًا! اسألني عن الطلبات والإرجاع والتوصيل.',
  question: 'هل يمكنني إرجاع حذاء لبسته مرة واحدة؟',
  answer:
    'نعم، ما دام **نظيفًا** وفي علبته. لديك:\n\n- 30 يومًا لإبلاغنا\n- 14 يومًا لإرساله\n\nابدأ من [طلباتك](https://acme.example/orders).',
  more: 'كم يستغرق استرداد المبلغ؟',
  agent: 'مرحبًا، أنا مايا. لقد أعدت إليك المبلغ للتو، ويصل خلال يومين.',
};

type Words = typeof ENGLISH;
interface State {
  /** The messages before the page opens; null without a conversation. */
  history: ((words: Words) => Partial<StandInMessage>[]) | null;
  more?: Parameters<StandInRuntime['seed']>[1];
  act?: (page: Page, words: Words, context: BrowserContext) => Promise<void>;
  isHosted?: boolean;
}

const talk = (words: Words): Partial<StandInMessage>[] => [
  { role: 'user', content: words.question },
  {
    content: words.answer,
    metadata: { sources: [{ title: 'Returns', url: 'https://acme.example/returns' }] },
    quickReplies: [{ id: 'q1', label: words.more, type: 'faq', action: { type: 'faq', id: 'q1' } }],
  },
];
const chat = (page: Page) => (page.frames().length > 1 ? page.frameLocator('iframe') : page);

const STATES: Record<string, State> = {
  start: { history: null },
  talk: { history: talk },
  commands: { history: null, act: (page) => chat(page).locator('.composer textarea').fill('/') },
  emoji: {
    history: null,
    act: async (page) => {
      await chat(page).locator('.emoji-button').click();
      await chat(page).locator('.emoji button').first().waitFor();
    },
  },
  typing: {
    history: talk,
    act: async (page, words) => {
      runtime.hold();
      await chat(page).locator('.composer textarea').fill(words.more);
      await page.keyboard.press('Enter');
      await chat(page).locator('.dots').waitFor();
    },
  },
  form: { history: (words) => [...talk(words), { content: words.welcome, form: NINE_FIELDS }] },
  'form-errors': {
    history: (words) => [...talk(words), { content: words.welcome, form: NINE_FIELDS }],
    act: async (page) => {
      await chat(page).locator('.form .primary').click();
      await chat(page).locator('.form-errors').waitFor();
    },
  },
  'form-summary': {
    history: (words) => [{ content: words.welcome, form: { ...NINE_FIELDS, fields: NINE_FIELDS.fields.slice(0, 2) } }],
    act: async (page) => {
      await chat(page).locator('input').nth(0).fill('Ada');
      await chat(page).locator('input').nth(1).fill('ada@example.com');
      await chat(page).locator('.form .primary').click();
      await chat(page).locator('.form-summary').waitFor();
    },
  },
  agent: {
    history: (words) => [
      ...talk(words),
      { content: words.agent, metadata: { author: 'agent', agentName: 'Maya' } },
      { role: 'user', content: '👍' },
    ],
    more: { paused: true },
  },
  options: {
    history: talk,
    act: async (page) => {
      await chat(page).locator('.header-button').first().click();
      await chat(page).locator('.menu').waitFor();
    },
  },
  'end-question': {
    history: talk,
    act: async (page) => {
      await chat(page).locator('.header-button').first().click();
      await chat(page).locator('.menu button').last().click();
      await chat(page).locator('dialog').waitFor();
    },
  },
  ended: { history: talk, more: { status: 'ended' } },
  rating: {
    history: talk,
    more: { status: 'ended' },
    act: async (page) => {
      await chat(page).locator('.stars input').nth(3).check();
    },
  },
  rated: { history: talk, more: { status: 'closed', feedback: { rating: 5, message: null } } },
  archived: { history: talk, more: { status: 'archived' } },
  refused: {
    history: talk,
    act: async (page, words) => {
      runtime.fault = ({ method }) => (method === 'POST' ? { status: 400, code: 'INVALID_REQUEST' } : undefined);
      await chat(page).locator('.composer textarea').fill(words.more);
      await page.keyboard.press('Enter');
      await chat(page).locator('.is-refused').waitFor();
    },
  },
  'too-long': {
    history: talk,
    act: (page) => chat(page).locator('.composer textarea').fill('Long text. '.repeat(400)),
  },
  offline: {
    history: talk,
    act: async (page, words, context) => {
      await context.setOffline(true);
      await chat(page).locator('.banner-offline').waitFor();
      await chat(page).locator('.composer textarea').fill(words.more);
      await page.keyboard.press('Enter');
      await chat(page).locator('.entry-status').waitFor();
    },
  },
  'long-history': {
    history: (words) =>
      Array.from({ length: 200 }, (_, index) => ({
        role: index % 3 === 0 ? ('user' as const) : ('assistant' as const),
        content: index % 3 === 0 ? words.question : words.answer,
      })),
    act: async (page) => {
      await chat(page)
        .locator('.scroll')
        .evaluate((box) => box.scrollTo(0, 0));
      await chat(page).locator('.row').nth(70).waitFor();
    },
  },
  'waiting-for-team': {
    history: (words) => [...talk(words), { content: words.agent, metadata: { author: 'bot', via: 'handoff' } }],
  },
  hosted: { history: talk, isHosted: true },
  'hosted-start': { history: null, isHosted: true },
  'hosted-rating': {
    history: talk,
    more: { status: 'ended' },
    isHosted: true,
    act: async (page) => {
      await chat(page).locator('.stars input').nth(4).check();
    },
  },
};

/** A context with one tab, which shows one state after the other: a new context for each state takes twice as long. */
class Tab {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(options: Parameters<Browser['newContext']>[0]): Promise<Tab> {
    const context = await browser.newContext(options);
    return new Tab(context, await context.newPage());
  }

  async draw(name: string, words: Words): Promise<Page> {
    const { context, page } = this;
    const state = STATES[name]!;
    runtime.reset();
    await context.setOffline(false);
    await remember(context, state.history && runtime.seed(state.history(words), state.more));
    if (state.isHosted) await openHosted(context, runtime, page);
    else await openInHost(context, runtime, { isFullScreen: true }, page);
    if (state.history) await chat(page).locator('.row').nth(1).waitFor();
    await state.act?.(page, words, context);
    await chat(page)
      .locator('main')
      .evaluate(() => {
        const animations = document.getAnimations();
        for (const one of animations) if (one.effect?.getTiming().iterations !== Infinity) one.finish();
      });
    return page;
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

async function violations(page: Page): Promise<string[]> {
  const frame = page.frames().find((candidate) => candidate.url().includes(BOT_ID))!;
  await frame.evaluate(axe);
  return frame.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
    }
    const { run } = (window as unknown as { axe: { run(context: Document, options: object): Promise<Found> } }).axe;
    const found = await run(document, { resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
}

beforeAll(async () => {
  [browser, runtime] = await Promise.all([sharedBrowser(), StandInRuntime.start(pageData())]);
});
afterAll(async () => {
  await closeContexts(browser);
  await runtime?.stop();
});

const LOOKS = [
  { look: 'light', scheme: 'light', words: ENGLISH, locale: 'en' },
  { look: 'dark-rtl', scheme: 'dark', words: ARABIC, locale: 'ar' },
] as const;

describe.each(LOOKS)('the chat in $look', ({ look, scheme, words, locale }) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await Tab.open({ colorScheme: scheme });
  });
  afterAll(() => tab?.close());

  it.each(Object.keys(STATES))('has no accessibility violations in the state %s', async (name) => {
    runtime.data = pageData({ name: words.name, welcome: words.welcome, locale });
    const { page } = tab;
    await page.setViewportSize(STATES[name]!.isHosted ? { width: 1440, height: 900 } : { width: 400, height: 704 });
    await page.emulateMedia({ reducedMotion: name === 'typing' ? 'reduce' : 'no-preference' });
    await tab.draw(name, words);
    await takeScreenshot(page, `frame-${name}-${look}`);
    await expectEventually(() => violations(page), []);
  });
});

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'smallest-phone': { viewport: { width: 320, height: 480 }, hasTouch: true, isMobile: true },
  // 1280 by 1024 pixels at a zoom of 400 %.
  zoomed: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  'forced-colors': { viewport: { width: 400, height: 704 }, forcedColors: 'active' },
  'bright-brand': { viewport: { width: 400, height: 704 } },
} as const;

describe.each(Object.keys(SCREENS) as (keyof typeof SCREENS)[])('the chat on the screen %s', (screen) => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await Tab.open(SCREENS[screen]);
  });
  afterAll(() => tab?.close());

  it.each(['start', 'talk', 'form-errors', 'ended'])('fits and has no accessibility violations: %s', async (name) => {
    runtime.data = pageData(screen === 'bright-brand' ? { color: '#ffe600' } : {});
    const page = await tab.draw(name, ENGLISH);
    await takeScreenshot(page, `frame-${screen}-${name}`);
    await expectEventually(() => violations(page), []);
    const overflow = () =>
      chat(page)
        .locator('main')
        .evaluate((main) => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth - clientWidth, main.scrollWidth - main.clientWidth];
        });
    await expectEventually(overflow, [0, 0]);
  });
});

describe('the chat of an unavailable bot', () => {
  it('shows that it is unavailable, in the frame and on the hosted page', async () => {
    runtime.data = pageData(null);
    await inContext(browser, async (context) => {
      const { page } = await openInHost(context, runtime);
      await chat(page).getByText('This chat is not available').first().waitFor();
      await takeScreenshot(page, 'frame-unavailable');
      await expectEventually(() => violations(page), []);
      const hosted = await openHosted(context, runtime);
      await takeScreenshot(hosted, 'hosted-unavailable');
      await expectEventually(() => violations(hosted), []);
    });
  });
});
