import { expectEventually, until } from '@heliograph/testing';
import type { Locator } from 'playwright-core';
import { BOT_ID, LoaderFixture, WELCOME, type Visit } from './loader.fixture';

const ELSEWHERE = 'bot_elsewhere';

let fixture: LoaderFixture;
beforeAll(async () => {
  fixture = await LoaderFixture.start([
    { publicId: ELSEWHERE, name: 'Elsewhere', settings: { allowedDomains: ['acme.example'] } },
  ]);
}, 60_000);
afterAll(() => fixture?.stop());

const strict = (more = '') => {
  const { url } = fixture.runtime;
  return (
    `default-src 'none'; script-src ${url}; frame-src ${url}; style-src 'none'; ` +
    `require-trusted-types-for 'script'; trusted-types 'none'${more}`
  );
};

/** A page without a favicon, which would violate the policies. */
const bare = (tag: string) => `<!doctype html><html lang="en"><title>Strict</title><body><p>Text</p>${tag}`;

describe('a page with the strictest Content-Security-Policy', () => {
  it('shows the complete widget with only script-src and frame-src, without a violation', () =>
    fixture.visit(async (visit) => {
      const address = fixture.serve({ html: bare(fixture.tag()), headers: { 'content-security-policy': strict() } });
      await visit.goto(address, { hasClock: true });
      await visit.skipTo(visit.teaser.getByText(WELCOME));
      const accent = () => visit.launcher.evaluate((launcher) => getComputedStyle(launcher).backgroundColor);
      await expectEventually(accent, 'rgb(10, 122, 92)');
      const frame = await visit.open();
      await frame.getByRole('textbox').fill('What are your opening hours?');
      await frame.getByRole('textbox').press('Enter');
      await frame.getByText('9 to 5.').waitFor();
      expect(visit.complaints).toEqual([]);
    }));

  it('shows the widget with a nonce', () =>
    fixture.visit(async (visit) => {
      const policy = strict().replace(/script-src \S+;/, "script-src 'nonce-abc' 'strict-dynamic';");
      const html = bare(fixture.tag('nonce="abc"'));
      await visit.goto(fixture.serve({ html, headers: { 'content-security-policy': policy } }));
      await visit.open();
      expect(visit.complaints).toEqual([]);
    }));

  it('shows the widget with cross-origin isolation', () =>
    fixture.visit(async (visit) => {
      const headers = {
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      };
      await visit.goto(fixture.serve({ html: bare(fixture.tag('crossorigin')), headers }));
      await visit.open();
      expect(visit.complaints).toEqual([]);
    }));
});

describe('a page with hostile styles', () => {
  const HOSTILE = `<style>
    *, *::before, *::after { all: unset !important; }
    html *, body ~ *, heliograph-widget {
      display: none !important; position: static !important; opacity: 0 !important; transform: rotate(9deg) !important;
      color: red !important; font: 40px cursive !important; letter-spacing: 9px !important; direction: rtl !important;
      zoom: 2 !important; filter: invert(1) !important; clip-path: circle(1px) !important; visibility: hidden !important;
      pointer-events: none !important; z-index: -1 !important; width: 3px !important; mix-blend-mode: difference !important;
      animation: x 1s infinite !important; text-transform: uppercase !important; line-height: 9 !important;
    }
    :root { --accent: red !important; --ink: red !important; --card: red !important; font-size: 40px !important; }
  </style>`;

  /** Opens two pages that differ only in their styles, each in a separate browser context. */
  const visitBoth = (work: (visits: [plain: Visit, hostile: Visit]) => Promise<void>) => {
    const visit = (path: string, head: string, next: (visit: Visit) => Promise<void>) =>
      fixture.visit(
        async (opened) => {
          const html = `<!doctype html><html lang="en">${head}<body>${fixture.tag()}`;
          await next(await opened.goto(fixture.site.serve(path, { html }), { hasClock: true }));
        },
        { reducedMotion: 'reduce' },
      );
    return visit('/plain', '', (plain) => visit('/hostile', HOSTILE, (hostile) => work([plain, hostile])));
  };

  /** Polls, because a transient difference disappears; the plain page must not change in the meantime. */
  const expectSamePicture = ([plain, hostile]: [Visit, Visit]) =>
    until('the hostile page looks like the plain one', async () => {
      const before = await plain.page.screenshot();
      const attacked = await hostile.page.screenshot();
      return attacked.equals(before) && attacked.equals(await plain.page.screenshot());
    });

  it('changes no pixel of the launcher, the teaser and the panel', () =>
    visitBoth(async (visits) => {
      for (const visit of visits) await visit.skipTo(visit.teaser);
      await expectSamePicture(visits);
      for (const visit of visits) {
        await visit.page.keyboard.press('Tab');
        await visit.page.evaluate(() => (window as unknown as { Heliograph: { open(): void } }).Heliograph.open());
        const frame = await visit.drawn();
        await until('the composer has the focus', () =>
          frame.evaluate(() => document.activeElement?.tagName === 'TEXTAREA'),
        );
        await visit.page.mouse.move(5, 5);
      }
      await expectSamePicture(visits);
    }));
});

describe('forged messages', () => {
  /** The page posts the messages of the frame, and acts as the parent of the frame. */
  const forge = (visit: Visit) =>
    visit.page.evaluate(async () => {
      const frame = document.querySelector('heliograph-widget')!.shadowRoot!.querySelector('iframe')!;
      const ports: MessagePort[] = [];
      const listen = ({ ports: given }: MessageEvent) => void ports.push(...given);
      addEventListener('message', listen);
      for (const data of [
        { heliograph: 1, type: 'ready' },
        { heliograph: 1, type: 'close' },
        { heliograph: 1, type: 'unread', count: 5, preview: 'Forged' },
        'ready',
        null,
      ]) {
        window.postMessage(data, '*');
        // The source is the frame, but the origin is not the origin of the frame.
        dispatchEvent(new MessageEvent('message', { data, source: frame.contentWindow, origin: location.origin }));
      }
      const child = document.createElement('iframe');
      child.srcdoc = `<script>parent.postMessage({ heliograph: 1, type: 'ready' }, '*')</script>`;
      const heard = new Promise((resolve) =>
        addEventListener('message', (event) => {
          if (event.source === child.contentWindow) resolve(null);
        }),
      );
      document.body.append(child);
      await heard;
      const { port1, port2 } = new MessageChannel();
      frame.contentWindow!.postMessage({ heliograph: 1, type: 'init', isOpen: true, color: '#f00' }, '*', [port2]);
      port1.close();
      removeEventListener('message', listen);
      return ports.length;
    });

  it('are ignored from any window and any origin', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve());
      await visit.open();
      expect(await forge(visit)).toBe(0);
      await expectEventually(() => visit.isOpen(), true);
      await expectEventually(() => visit.launcher.getAttribute('aria-label'), 'Close chat');
      // The port of the loader is still connected to the frame.
      const frame = await visit.drawn();
      await frame.getByRole('textbox').press('Escape');
      await until('the panel is closed', async () => !(await visit.isOpen()));
    }));
});

describe('a frame that cannot be loaded', () => {
  const linkOf = async (visit: Visit, untilVisible = (link: Locator) => visit.skipTo(link)) => {
    await visit.launcher.click();
    const link = visit.cover.getByRole('link', { name: 'Open it in a new tab' });
    await untilVisible(link);
    await expectEventually(() => visit.cover.getByText('could not be loaded').isVisible(), true);
    return link;
  };

  it('because the bot allows only other domains is replaced by a working link to the hosted page', () =>
    fixture.visit(async (visit) => {
      await visit.goto(fixture.serve({ html: bare(fixture.tag('', ELSEWHERE)) }), { hasClock: true });
      const link = await linkOf(visit);
      expect(await link.getAttribute('href')).toBe(`${fixture.runtime.url}/c/${ELSEWHERE}`);
      const opened = visit.page.waitForEvent('popup');
      await link.click();
      const hosted = await opened;
      await hosted.getByRole('textbox').waitFor();
      expect(await hosted.evaluate(() => window.opener)).toBeNull();
    }));

  it('because of the policy of the site is replaced by the link', () =>
    fixture.visit(async (visit) => {
      const policy = strict().replace(/frame-src \S+;/, "frame-src 'none';");
      await visit.goto(fixture.serve({ html: bare(fixture.tag()), headers: { 'content-security-policy': policy } }));
      // This test waits for the actual time limit.
      await linkOf(visit, (link) => link.waitFor({ timeout: 15_000 }));
    }));

  it('because the response is not the frame is replaced by the link', () =>
    fixture.visit(async (visit) => {
      await visit.page.route('**/bots/embed/**', (route) =>
        route.fulfill({ body: '<h1>Bad gateway</h1>', status: 502 }),
      );
      await visit.goto(fixture.serve(), { hasClock: true });
      await linkOf(visit);
    }));

  it('at first is loaded when the visitor tries again', () =>
    fixture.visit(async (visit) => {
      await visit.page.route('**/bots/embed/**', (route) => route.abort(), { times: 1 });
      await visit.goto(fixture.serve(), { hasClock: true });
      await linkOf(visit);
      await visit.cover.getByRole('button', { name: 'Try again' }).click();
      await (await visit.drawn()).getByText(WELCOME).first().waitFor();
      await expectEventually(() => visit.iframe.count(), 1);
    }));
});

it('a failed request for the configuration leaves a launcher with default colors that works', () =>
  fixture.visit(async (visit) => {
    await visit.page.route('**/bots/widget/config**', (route) => route.abort());
    await visit.goto(fixture.serve());
    await visit.launcher.waitFor();
    const style = () =>
      visit.launcher.evaluate((launcher) => {
        const { backgroundColor, color } = getComputedStyle(launcher);
        return [backgroundColor, color];
      });
    await expectEventually(style, ['rgb(79, 70, 229)', 'rgb(255, 255, 255)']);
    await (await visit.open()).getByText(WELCOME).first().waitFor();
    expect(await visit.iframe.getAttribute('src')).toBe(`${fixture.runtime.url}/bots/embed/${BOT_ID}`);
  }));
