import { eventually, expectEventually, takeScreenshot } from '@heliograph/testing';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { BOT_ID, LoaderFixture, type Visit } from './loader.fixture';

const ARABIC = 'bot_acme_ar';
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PAGE =
  '<main style="font:18px/1.6 Georgia,serif;max-width:60ch;margin:40px auto;padding:0 20px"><h1>A shop</h1>' +
  `${'<p>Things that are made with care, and sent to wherever you are within two days of the order.</p>'.repeat(12)}</main>`;
const DARK_PAGE = `<style>body{background:#15171c;color:#ddd}</style>${PAGE}`;

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start([
    {
      publicId: ARABIC,
      name: 'متجر أكمي',
      locale: 'ar',
      settings: { branding: { color: '#b45309' }, welcomeMessage: 'مرحبًا! كيف يمكنني مساعدتك اليوم؟' },
    },
  ]);
}, 60_000);
afterAll(() => fixture?.stop());

const shoot = ({ page }: Visit, name: string) => takeScreenshot(page, name);

/** Expects that the element is completely inside the window. */
const expectInside = ({ page }: Visit, element: Locator): Promise<void> =>
  eventually(async () => {
    const box = (await element.boundingBox())!;
    const { width, height } = page.viewportSize()!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
  });

const settled = ({ page }: Visit) =>
  page.evaluate(async () => {
    const root = document.querySelector('heliograph-widget')?.shadowRoot;
    const ending = (root?.getAnimations() ?? []).filter(
      ({ effect }) => effect?.getComputedTiming().iterations !== Infinity,
    );
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

describe.each(['light', 'dark'] as const)('in a browser with a %s color scheme', (colorScheme) => {
  const body = colorScheme === 'light' ? PAGE : DARK_PAGE;

  it('launcher, teaser and panel are inside a large window', () =>
    fixture.visit(
      async (visit) => {
        await visit.goto(fixture.serve({ body }), { hasClock: true });
        await visit.skipTo(visit.teaser);
        await settled(visit);
        await shoot(visit, `loader-desktop-teaser-${colorScheme}`);
        await expectInside(visit, visit.launcher);
        await expectInside(visit, visit.teaser);
        await visit.open();
        await settled(visit);
        await shoot(visit, `loader-desktop-open-${colorScheme}`);
        await expectInside(visit, visit.panel);
      },
      { colorScheme },
    ));

  it('the panel covers the whole screen of a phone, and no teaser covers the page', () =>
    fixture.visit(
      async (visit) => {
        await visit.goto(fixture.serve({ body }));
        await visit.launcher.waitFor();
        await settled(visit);
        await shoot(visit, `loader-phone-closed-${colorScheme}`);
        await visit.launcher.tap();
        await visit.drawn();
        await settled(visit);
        await shoot(visit, `loader-phone-open-${colorScheme}`);
        await expectEventually(() => visit.panel.boundingBox(), { x: 0, y: 0, width: 390, height: 844 });
      },
      { ...PHONE, colorScheme },
    ));

  it.each([
    ['desktop', {}],
    ['phone', PHONE],
  ])('a frame that cannot be loaded is replaced by a link on a %s', (name, options) =>
    fixture.visit(
      async (visit) => {
        let fail = (): void => undefined;
        const isShown = new Promise<void>((resolve) => (fail = resolve));
        await visit.page.route('**/bots/embed/**', (route) => isShown.then(() => route.abort()));
        await visit.goto(fixture.serve({ body }), { hasClock: true });
        await visit.launcher.click();
        await visit.cover.getByText('Loading the chat').waitFor();
        await settled(visit);
        await shoot(visit, `loader-${name}-loading-${colorScheme}`);
        fail();
        await visit.skipTo(visit.cover.getByRole('link'));
        await shoot(visit, `loader-${name}-failed-${colorScheme}`);
        await expectInside(visit, visit.cover);
        if (name !== 'phone') return;
        await expectEventually(() => visit.cover.boundingBox(), expect.objectContaining({ y: 0, height: 844 }));
      },
      { ...options, colorScheme },
    ),
  );
});

it('the widget of an Arabic bot is laid out from right to left, on the side that the site configures', () =>
  fixture.visit(async (visit) => {
    const html = `<!doctype html><html lang="ar" dir="rtl"><title>متجر</title><body>${fixture.tag('data-position="left"', ARABIC)}</body></html>`;
    await visit.goto(fixture.site.serve('/ar', { html }), { hasClock: true });
    await visit.skipTo(visit.teaser);
    await settled(visit);
    await shoot(visit, 'loader-desktop-teaser-rtl');
    await visit.page.route('**/bots/embed/**', (route) => route.abort());
    await visit.launcher.click();
    await visit.skipTo(visit.cover.getByRole('link'));
    await settled(visit);
    await shoot(visit, 'loader-desktop-failed-rtl');
    await expectEventually(() => visit.launcher.evaluate((launcher) => getComputedStyle(launcher).left), '20px');
    await expectEventually(() => visit.launcher.getAttribute('aria-label'), 'إغلاق المحادثة');
  }));

it('an unavailable bot is reported in the panel and on the hosted page', () =>
  fixture.visit(async (visit) => {
    await visit.goto(fixture.site.serve('/gone', { html: `<!doctype html>${fixture.tag('', 'bot_gone')}` }));
    await visit.launcher.click();
    await visit.drawn();
    await settled(visit);
    await shoot(visit, 'loader-desktop-unavailable');
    await visit.page.goto(`${fixture.runtime.url}/c/bot_gone`);
    await visit.page.getByRole('heading').first().waitFor();
    await shoot(visit, 'hosted-unavailable');
    await visit.page.context().route('**/bots/assets/*.js', (route) => route.abort());
    await visit.page.goto(`${fixture.runtime.url}/c/bot_gone`);
    await shoot(visit, 'hosted-unavailable-without-script');
    await expectEventually(() => visit.page.getByRole('heading').textContent(), 'This chat is not available');
  }));

it('the hosted page shows the chat', () =>
  fixture.visit(async (visit) => {
    await visit.page.goto(`${fixture.runtime.url}/c/${BOT_ID}`);
    await visit.page.getByRole('textbox').waitFor();
    await shoot(visit, 'hosted-desktop');
  }));
