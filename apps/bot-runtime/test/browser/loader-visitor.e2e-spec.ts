import axe from 'axe-core';
import { eventually, expectEventually, until } from '@heliograph/testing';
import { hostHtml } from './host-site';
import { BOT_ID, LoaderFixture, WELCOME, type Visit } from './loader.fixture';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start();
}, 60_000);
afterAll(() => fixture?.stop());

const say = async (visit: Visit, text: string) => {
  const box = (await visit.drawn()).getByRole('textbox');
  await box.fill(text);
  await box.press('Enter');
};

/**
 * Returns the violations that axe finds in the page and in the shadow root of the widget; other tests cover the frame.
 */
async function complaintsOfAxe({ page }: Visit): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const { violations } = await checker.run(document, { iframes: false });
    // Violations of the rule "region" belong to the page of the test, not to the widget.
    const ofWidget = violations.filter(({ id }) => id !== 'region');
    return ofWidget.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

describe('with the keyboard only', () => {
  it('a visitor can open the launcher, send a message and close the panel with Escape, which returns the focus to the launcher', () =>
    fixture.visit(async (visit) => {
      const { page } = visit;
      await visit.goto(fixture.serve({ body: '<button id="own">Buy</button>' }));
      await visit.launcher.waitFor();
      await page.keyboard.press('Tab');
      await expectEventually(() => visit.focused(), 'own');
      await page.keyboard.press('Tab');
      await expectEventually(() => visit.focused(), 'launcher');
      await expectEventually(() => visit.launcher.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('Enter');
      const frame = await visit.drawn();
      await until('the focus is in the composer', () =>
        frame.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'),
      );
      await expectEventually(() => visit.launcher.getAttribute('aria-expanded'), 'true');
      await page.keyboard.type('What are your opening hours?');
      await page.keyboard.press('Enter');
      await frame.getByText('9 to 5.').waitFor();
      await page.keyboard.press('Escape');
      await until('the panel is closed', async () => !(await visit.isOpen()));
      await expectEventually(() => visit.focused(), 'launcher');
      await expectEventually(() => visit.launcher.getAttribute('aria-expanded'), 'false');
    }));

  it('the focus returns to the button of the site that opened the panel', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve({ body: '<button id="own" onclick="Heliograph.open()">Help</button>' }));
      await visit.page.locator('#own').press('Enter');
      const frame = await visit.drawn();
      await until('the focus is in the frame', () => frame.evaluate(() => document.hasFocus()));
      await visit.page.keyboard.press('Escape');
      await until('the focus has returned', async () => (await visit.focused()) === 'own');
    }));

  it('Escape closes the panel while the frame is still loading', () =>
    fixture.visit(async (visit) => {
      await visit.page.route('**/bots/embed/**', () => undefined);
      await visit.goto(fixture.serve());
      await visit.launcher.waitFor();
      await visit.launcher.press('Enter');
      await expectEventually(() => visit.focused(), 'button');
      await visit.page.keyboard.press('Escape');
      await expectEventually(async () => [await visit.isOpen(), await visit.focused()], [false, 'launcher']);
    }));

  it('a panel that opens automatically does not take the focus, and Escape outside the panel does not close it', () =>
    fixture.visit(async (visit) => {
      const body = '<input id="search" autofocus>';
      await visit.goto(fixture.serve({ attributes: 'data-auto-open="true"', body }));
      await visit.drawn();
      await expectEventually(() => visit.focused(), 'search');
      await visit.page.keyboard.press('Escape');
      expect(await visit.isOpen()).toBe(true);
    }));
});

describe('on a phone', () => {
  it('the open panel is modal: the page is inert and does not scroll until the panel is closed', () =>
    fixture.visit(async (visit) => {
      const html = hostHtml({ body: `<p>Text</p>${'<br>'.repeat(200)}${fixture.tag()}` });
      await visit.goto(fixture.serve({ html: html.replace('<html', '<html style="overflow: scroll; color: black;"') }));
      const page = () =>
        visit.page.evaluate(() => [document.body.inert, document.documentElement.getAttribute('style')]);
      const before = await page();
      await visit.launcher.tap();
      const frame = await visit.drawn();
      await expectEventually(() => visit.panel.getAttribute('aria-modal'), 'true');
      await expectEventually(async () => (await page())[0], true);
      await expectEventually(
        () => visit.page.evaluate(() => getComputedStyle(document.documentElement).overflow),
        'hidden',
      );
      await visit.launcher.waitFor({ state: 'hidden' });
      await frame.getByRole('button', { name: /close/i }).first().tap();
      await visit.launcher.waitFor();
      await expectEventually(() => page(), before);
    }, PHONE));

  it('the panel ends above the on-screen keyboard', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.launcher.tap();
      await visit.drawn();
      await visit.page.evaluate(() => {
        Object.defineProperty(visualViewport, 'height', { value: 500, configurable: true });
        Object.defineProperty(visualViewport, 'offsetTop', { value: 40, configurable: true });
        visualViewport!.dispatchEvent(new Event('resize'));
      });
      await expectEventually(() => visit.panel.boundingBox(), { x: 0, y: 40, width: 390, height: 500 });
    }, PHONE));

  it('a resized window switches between panel and full screen, and the page becomes inert accordingly', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.open();
      await expectEventually(() => visit.page.evaluate(() => document.body.inert), false);
      await visit.page.setViewportSize({ width: 320, height: 480 });
      await until('the page is inert', () => visit.page.evaluate(() => document.body.inert));
      await expectEventually(() => visit.panel.boundingBox(), { x: 0, y: 0, width: 320, height: 480 });
      await visit.page.setViewportSize({ width: 1280, height: 800 });
      await until('the page is not inert', () => visit.page.evaluate(() => !document.body.inert));
    }));
});

describe('a new message while the panel is closed', () => {
  it('is counted in the badge and in the accessible name, shown once, reported to the site, and cleared when it is read', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.open();
      await say(visit, 'What are your opening hours?');
      await (await visit.drawn()).getByText('9 to 5.').waitFor();
      await visit.page.evaluate(() => {
        const site = window as unknown as { unread: unknown[]; Heliograph: { on(...args: unknown[]): void } };
        site.unread = [];
        site.Heliograph.on('unread', (detail: unknown) => site.unread.push(detail));
      });
      await visit.launcher.click();
      await expectEventually(() => visit.launcher.getAttribute('aria-label'), 'Open chat');
      const frame = visit.page.frames().find((candidate) => candidate.url().includes('/bots/embed/'))!;
      const [id, token] = await frame.evaluate((key) => {
        const kept = JSON.parse(localStorage.getItem(key)!) as { id: string; token: string };
        return [kept.id, kept.token] as const;
      }, `heliograph:${BOT_ID}`);
      await fixture.runtime.say({ id, token }, 'What are your opening hours?');
      await visit.teaser.getByText('9 to 5.').waitFor();
      await eventually(async () =>
        expect(await visit.launcher.getAttribute('aria-label')).toMatch(/^Open chat, \d unread$/),
      );
      await expectEventually(() => visit.page.locator('heliograph-widget .badge').isVisible(), true);
      await expectEventually(
        () => visit.page.evaluate(() => (window as unknown as { unread: unknown[] }).unread.at(-1)),
        { count: expect.any(Number) as number },
      );
      await visit.launcher.click();
      await until(
        'all messages are read',
        async () => (await visit.launcher.getAttribute('aria-label')) === 'Close chat',
      );
      await visit.launcher.click();
      await expectEventually(() => visit.launcher.getAttribute('aria-label'), 'Open chat');
      await expectEventually(() => visit.teaser.isVisible(), false);
    }));
});

describe('the accessibility check', () => {
  it.each(['light', 'dark'] as const)(
    'finds no violations in the launcher, teaser, open panel and failed frame in the %s color scheme',
    (colorScheme) =>
      fixture.visit(
        async (visit) => {
          const body = '<main><h1>Shop</h1></main>';
          await visit.goto(fixture.serve({ body }), { hasClock: true });
          await visit.skipTo(visit.teaser);
          await expectEventually(() => complaintsOfAxe(visit), []);
          await visit.open();
          await expectEventually(() => complaintsOfAxe(visit), []);
          await visit.page.route('**/bots/embed/**', (route) => route.abort());
          await visit.page.evaluate(() => sessionStorage.clear());
          await visit.goto(fixture.serve({ body }));
          await visit.launcher.click();
          await visit.skipTo(visit.cover.getByRole('link'));
          await expectEventually(() => complaintsOfAxe(visit), []);
        },
        { colorScheme, reducedMotion: 'reduce' },
      ),
  );

  it('finds no animation with reduced motion', () =>
    fixture.visit(
      async (visit) => {
        await visit.goto(fixture.serve(), { hasClock: true });
        await visit.skipTo(visit.teaser);
        await visit.launcher.click();
        const moving = await visit.page.evaluate(
          () => document.querySelector('heliograph-widget')!.shadowRoot!.getAnimations().length,
        );
        expect(moving).toBe(0);
      },
      { reducedMotion: 'reduce' },
    ));

  it('finds borders on launcher and panel with forced colors', () =>
    fixture.visit(
      async (visit) => {
        await visit.goto(fixture.serve());
        await visit.open();
        for (const part of [visit.launcher, visit.panel]) {
          await expectEventually(() => part.evaluate((element) => getComputedStyle(element).borderTopStyle), 'solid');
        }
      },
      { forcedColors: 'active' },
    ));
});

it('the teaser shows the welcome message, and opens the panel when it is pressed', () =>
  fixture.visit(async (visit) => {
    await visit.goto(fixture.serve());
    await visit.teaser.getByText(WELCOME).click();
    await visit.drawn();
    await expectEventually(async () => [await visit.isOpen(), await visit.teaser.isVisible()], [true, false]);
  }));
