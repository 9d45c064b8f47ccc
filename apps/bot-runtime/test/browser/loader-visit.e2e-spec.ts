import { expectEventually, until } from '@heliograph/testing';
import { BOT_ID, LoaderFixture, WELCOME } from './loader.fixture';

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start();
}, 60_000);
afterAll(() => fixture?.stop());

const CONFIG = `/bots/widget/config?botId=${BOT_ID}&format=module`;

describe('a visit without an interaction with the launcher', () => {
  it('requests only the script and the configuration, loads no frame, and stores no cookie and no data', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve(), { hasClock: true });
      await until('the configuration has arrived', () => visit.asked().includes(CONFIG));
      await visit.skipTo(visit.teaser);
      await expectEventually(() => visit.asked(), ['/bots/widget.js', CONFIG]);
      expect(await visit.iframe.count()).toBe(0);
      expect(await visit.page.context().cookies()).toEqual([]);
      expect(await visit.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
      expect(visit.complaints).toEqual([]);
    }));

  it('causes no layout shift of the page', () =>
    fixture.visit(async (visit) => {
      await visit.page.addInitScript(() => {
        (window as unknown as { shift: number }).shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number }[]) {
            (window as unknown as { shift: number }).shift += entry.value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await visit.goto(fixture.serve({ body: '<p>Some text of a page</p>'.repeat(60) }), { hasClock: true });
      await visit.skipTo(visit.teaser);
      expect(await visit.page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
      const sizes = await visit.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth];
      });
      expect(sizes[0]).toBe(sizes[1]);
    }));

  it('adds exactly one global name, which is documented', () =>
    fixture.visit(async (visit) => {
      const names = () => visit.page.evaluate(() => Object.getOwnPropertyNames(window));
      await visit.page.goto(fixture.serve({ html: '<!doctype html><title>Bare</title>' }, '/bare'));
      const before = new Set(await names());
      await visit.goto(fixture.serve());
      expect((await names()).filter((name) => !before.has(name))).toEqual(['Heliograph']);
    }));
});

describe('the frame', () => {
  it.each(['hover', 'focus'] as const)('is loaded on %s, while the panel stays closed', (intent) =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.launcher[intent]();
      await visit.iframe.waitFor({ state: 'attached' });
      expect(await visit.isOpen()).toBe(false);
    }),
  );

  it('shows the chat of the bot when the launcher is pressed, without console messages', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      const frame = await visit.open();
      await frame.getByText(WELCOME).first().waitFor();
      await expectEventually(() => visit.iframe.getAttribute('title'), 'Acme Help');
      expect(await visit.iframe.getAttribute('sandbox')).toBe(
        'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
      );
      expect(visit.complaints).toEqual([]);
    }));
});
