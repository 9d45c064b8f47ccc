import { expectEventually, until } from '@heliograph/testing';
import { hostHtml } from './host-site';
import { BOT_ID, LoaderFixture, WELCOME, type Visit } from './loader.fixture';

interface Heliograph {
  open(): void;
  close(): void;
  toggle(): void;
  show(): void;
  hide(): void;
  on(event: string, listener: (detail?: unknown) => void): void;
  off(event: string, listener?: (detail?: unknown) => void): void;
  identify(traits: object): void;
  destroy(): void;
  push(...calls: unknown[]): void;
}
type SiteWindow = Window & { Heliograph: Heliograph; heard: unknown[] };

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start();
}, 60_000);
afterAll(() => fixture?.stop());

const bare = (body: string) => hostHtml({ body });
const widgets = (visit: Visit) => visit.page.evaluate(() => document.querySelectorAll('heliograph-widget').length);
const call = (visit: Visit, name: keyof Heliograph) =>
  visit.page.evaluate((method) => {
    (window as unknown as Record<string, Record<string, () => void>>)['Heliograph']![method]!();
  }, name);

describe('the script tag', () => {
  const source = () => fixture.scriptUrl;

  it.each([
    ['is async', () => `<script async src="${source()}" data-bot-id="${BOT_ID}"></script>`],
    ['is deferred', () => `<script defer src="${source()}" data-bot-id="${BOT_ID}"></script>`],
    ['is a module', () => `<script type="module" src="${source()}" data-bot-id="${BOT_ID}"></script>`],
    ['sets the bot with data-bot-key', () => `<script src="${source()}" data-bot-key="${BOT_ID}"></script>`],
    ['sets the bot with data-bot', () => `<script src="${source()}" data-bot="${BOT_ID}"></script>`],
    ['is in the head', () => `</body><script src="${source()}" data-bot-id="${BOT_ID}"></script>`],
    ['is included twice', () => fixture.tag() + fixture.tag() + fixture.tag('', 'bot_other')],
    [
      'is added later by another script',
      () => `<script>addEventListener('load', () => {
        const script = document.createElement('script');
        script.src = '${source()}';
        script.dataset.botId = '${BOT_ID}';
        document.body.append(script);
      })</script>`,
    ],
    [
      'is imported, and another element contains the bot and the origin',
      () => `<script type="text/plain" data-bot-id="${BOT_ID}" data-api="${fixture.runtime.url}"></script>
        <script type="module">import '${source()}'</script>`,
    ],
  ])('shows one widget when it %s', (_how, html) =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve({ html: bare(html()) }));
      await (await visit.open()).getByText(WELCOME).first().waitFor();
      expect(await widgets(visit)).toBe(1);
      expect(visit.complaints).toEqual([]);
    }),
  );

  it('without a bot logs the missing attribute, and shows no widget', () =>
    fixture.visit(async (visit) => {
      await visit.page.goto(fixture.serve({ html: bare(`<script src="${source()}"></script>`) }));
      expect(visit.complaints).toEqual([
        'Heliograph: add the attribute data-bot-id with the public id of your bot to the script tag.',
      ]);
      expect(await widgets(visit)).toBe(0);
    }));
});

describe('the attributes of the script tag', () => {
  const looks = ({ launcher }: Visit) =>
    launcher.evaluate((element) => {
      const { left, right, backgroundColor, color } = getComputedStyle(element);
      return { side: parseFloat(left) < parseFloat(right) ? 'left' : 'right', backgroundColor, color };
    });
  const BRAND = { side: 'right', backgroundColor: 'rgb(10, 122, 92)', color: 'rgb(255, 255, 255)' };

  it('set the side, color, teaser and channel, and open the panel automatically', () =>
    fixture.visit(async (visit) => {
      const attributes =
        'data-position="left" data-color="#fd0" data-greeting="Any <b>questions</b>?" data-channel="hosted" data-auto-open="true"';
      await visit.goto(fixture.serve({ attributes }));
      await expectEventually(() => looks(visit), {
        side: 'left',
        backgroundColor: 'rgb(255, 221, 0)',
        color: 'rgb(16, 19, 24)',
      });
      const frame = await visit.drawn();
      await expectEventually(() => visit.isOpen(), true);
      await frame.getByText('Any <b>questions</b>?').first().waitFor();
      await frame.getByRole('textbox').fill('Hello');
      const started = visit.page.waitForRequest('**/api/v1/chat/conversations');
      await frame.getByRole('textbox').press('Enter');
      expect((await started).postDataJSON()).toMatchObject({ botId: BOT_ID, channel: 'hosted' });
      await call(visit, 'close');
      expect(await visit.isOpen()).toBe(false);
    }));

  it('are ignored when they are invalid', () =>
    fixture.visit(async (visit) => {
      const attributes =
        'data-position="top" data-color="url(x)" data-greeting="  " data-channel="fax" data-api="javascript:x" data-auto-open="yes"';
      await visit.goto(fixture.serve({ attributes }), { hasClock: true });
      await visit.skipTo(visit.teaser.getByText(WELCOME));
      await expectEventually(() => looks(visit), BRAND);
      expect(await visit.isOpen()).toBe(false);
    }));

  it('set the text of the teaser with data-greeting, never as markup', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve({ attributes: 'data-greeting="<img src=x onerror=alert(1)>"' }), {
        hasClock: true,
      });
      await visit.skipTo(visit.teaser.getByText('<img src=x onerror=alert(1)>'));
    }));

  it('set another API with data-api', () =>
    fixture.visit(async (visit) => {
      const elsewhere = fixture.runtime.url.replace('127.0.0.1', 'localhost');
      await visit.page.route(`${elsewhere}/**`, (route) =>
        route.fulfill({ body: 'x', headers: { 'access-control-allow-origin': '*' } }),
      );
      await visit.goto(fixture.serve({ attributes: `data-api="${elsewhere}/some/path"` }));
      await visit.launcher.hover();
      await visit.iframe.waitFor({ state: 'attached' });
      expect(await visit.iframe.getAttribute('src')).toBe(`${elsewhere}/bots/embed/${BOT_ID}`);
      expect(visit.asked()).toEqual(['/bots/widget.js']);
    }));
});

describe('the global object', () => {
  it('processes calls from before the script has loaded, and the same calls afterwards', () =>
    fixture.visit(async (visit) => {
      const head = `<script>
        window.heard = [];
        window.Heliograph = window.Heliograph || [];
        Heliograph.push(['on', 'ready', () => heard.push('ready')], ['on', 'open', () => heard.push('open')]);
        Heliograph.push(['open']);
      </script>`;
      await visit.goto(fixture.serve({ head }));
      await visit.drawn();
      await visit.page.evaluate(() => {
        const { Heliograph, heard } = window as unknown as SiteWindow;
        Heliograph.push(['on', 'close', () => heard.push('close')], ['close']);
        Heliograph.on('ready', () => heard.push('late ready'));
        Heliograph.push(['dance'], 'open', null);
      });
      await until('all events were emitted', () =>
        visit.page.evaluate(() => (window as unknown as SiteWindow).heard.length === 4),
      );
      const heard = await visit.page.evaluate(() => (window as unknown as SiteWindow).heard);
      expect([...heard].sort()).toEqual(['close', 'late ready', 'open', 'ready']);
      await expectEventually(() => visit.complaints.length, 3);
    }));

  it('opens, closes, toggles, hides and shows the widget', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.launcher.waitFor();
      const states: boolean[] = [];
      for (const name of ['open', 'open', 'toggle', 'toggle', 'close', 'close'] as const) {
        await call(visit, name);
        states.push(await visit.isOpen());
      }
      expect(states).toEqual([true, true, false, true, false, false]);
      await call(visit, 'hide');
      await visit.launcher.waitFor({ state: 'hidden' });
      await call(visit, 'open');
      await visit.panel.waitFor();
      await call(visit, 'hide');
      await visit.panel.waitFor({ state: 'hidden' });
      await call(visit, 'show');
      await visit.launcher.waitFor();
    }));

  it('emits events for messages, and continues after an error in a listener', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      const frame = await visit.open();
      await visit.page.evaluate(() => {
        const site = window as unknown as SiteWindow;
        site.heard = [];
        const gone = () => site.heard.push('gone');
        site.Heliograph.on('message', gone);
        site.Heliograph.off('message', gone);
        site.Heliograph.on('message', () => {
          throw new Error("the site's own");
        });
        site.Heliograph.on('message', (detail) => site.heard.push(detail));
      });
      await frame.getByRole('textbox').fill('What are your opening hours?');
      await frame.getByRole('textbox').press('Enter');
      await until('both messages were reported', () =>
        visit.page.evaluate(() => (window as unknown as SiteWindow).heard.length === 2),
      );
      await expectEventually(
        () => visit.page.evaluate(() => (window as unknown as SiteWindow).heard),
        [{ role: 'user' }, { role: 'assistant' }],
      );
    }));
});

describe('the function destroy', () => {
  it('removes everything, twenty times in a row, from an open panel on a phone', () =>
    fixture.visit(
      async (visit) => {
        const { page } = visit;
        const head = `<script>
          window.left = 0;
          const add = EventTarget.prototype.addEventListener, remove = EventTarget.prototype.removeEventListener;
          const lasting = (target) => target === window || target === document || target === visualViewport
            || target === navigation || target instanceof MediaQueryList;
          EventTarget.prototype.addEventListener = function (type, listener, options) {
            if (lasting(this)) {
              window.left++;
              options?.signal?.addEventListener('abort', () => window.left--);
            }
            return add.call(this, type, listener, options);
          };
          EventTarget.prototype.removeEventListener = function (type, listener, options) {
            if (lasting(this)) window.left--;
            return remove.call(this, type, listener, options);
          };
        </script>`;
        await page.goto(fixture.serve({ html: hostHtml({ head, body: '<p>Text</p>' }) }));
        const state = () =>
          page.evaluate(() => ({
            html: document.documentElement.outerHTML,
            global: 'Heliograph' in window,
            left: (window as unknown as { left: number }).left,
          }));
        const before = await state();
        for (let round = 0; round < 20; round++) {
          await page.evaluate(
            ({ source, bot }) =>
              new Promise((resolve) => {
                const script = document.createElement('script');
                script.src = source;
                script.dataset['botId'] = bot;
                script.onload = resolve;
                document.body.append(script);
              }),
            { source: fixture.scriptUrl, bot: BOT_ID },
          );
          await call(visit, 'open');
          await visit.drawn();
          await expectEventually(() => page.evaluate(() => document.body.inert), true);
          await page.evaluate(() => {
            const { Heliograph } = window as unknown as SiteWindow;
            Heliograph.destroy();
            // A remaining reference has no effect.
            Heliograph.destroy();
            Heliograph.open();
            Heliograph.show();
            document.querySelector('script[data-bot-id]')!.remove();
            sessionStorage.clear();
          });
          await expectEventually(() => state(), before);
        }
      },
      { viewport: { width: 390, height: 844 } },
    ));
});
