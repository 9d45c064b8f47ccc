import { until } from '@heliograph/testing';
import type { BrowserContext, Page } from 'playwright-core';
import {
  bubbles,
  BOT_ID,
  composer,
  frameTests,
  inContext,
  openHosted,
  openInHost,
  pageData,
  remember,
  write,
} from './frame.fixture';
import { HOSTILE_TEXTS } from './hostile-texts.fixture';

const at = frameTests();

const ELEMENTS =
  'script:not([src^="/bots/assets/"]):not(#heliograph), img, iframe, object, embed, link:not([href^="/bots/assets/"]):not([rel=icon]), style, base, video, math, template, [onerror], [onload], [onfocus], [onbegin]';
/** Allowed link targets of the chat. */
const HREF = /^(?:https?:\/\/|mailto:|tel:)/;

/** Collects effects that only executed text could have: dialogs, errors and requests. */
function watch(context: BrowserContext): { page: Page[]; trouble: string[] } {
  const trouble: string[] = [];
  const pages: Page[] = [];
  context.on('page', (page) => {
    pages.push(page);
    page.on('dialog', (dialog) => {
      trouble.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => trouble.push(`error ${error.message}`));
  });
  context.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.\d|data:)/.test(request.url())) trouble.push(`request ${request.url()}`);
  });
  return { page: pages, trouble };
}

async function inertness(page: Page): Promise<object> {
  const frame = page.frames().find((candidate) => candidate.url().includes(BOT_ID))!;
  return frame.evaluate(
    ({ elements, href }) => ({
      pwned: 'pwned' in window || 'pwned' in Object.prototype,
      elements: [...document.querySelectorAll(elements)].map(({ outerHTML }) => outerHTML),
      links: [...document.querySelectorAll('a')].filter(
        (link) =>
          !new RegExp(href).test(link.getAttribute('href') ?? '') ||
          link.target !== '_blank' ||
          link.rel !== 'noopener noreferrer',
      ).length,
    }),
    { elements: ELEMENTS, href: HREF.source },
  );
}

const INERT = { pwned: false, elements: [], links: 0 };

describe('hostile text has no effect', () => {
  it('in messages of the bot, agents and visitors, and in sources, chips and names', () =>
    inContext(at.browser, async (context) => {
      const { trouble } = watch(context);
      const conversation = at.runtime.seed(
        HOSTILE_TEXTS.flatMap((text) => [
          { role: 'user' as const, content: text },
          {
            content: text,
            metadata: {
              sources: [
                { title: text, url: text },
                { title: text, url: `javascript:${text}` },
              ],
            },
          },
          { content: text, metadata: { author: 'agent', agentName: text } },
        ]),
        { paused: true },
      );
      const action = { type: 'faq', id: 'x' };
      at.runtime.say(conversation, {
        content: 'last',
        quickReplies: HOSTILE_TEXTS.map((label, index) => ({ id: `${index}`, label, type: 'faq', action })),
      });
      await remember(context, conversation);
      const { page, frame } = await openInHost(context, at.runtime);
      await bubbles(frame).getByText('last', { exact: true }).waitFor();
      await until('everything is rendered', async () => {
        await frame.locator('.scroll').evaluate((box) => box.scrollTo(0, 0));
        return (await bubbles(frame).count()) === HOSTILE_TEXTS.length * 3 + 2;
      });
      expect(await inertness(page)).toEqual(INERT);
      expect(trouble).toEqual([]);
    }));

  it('in titles, labels, keys, options, answers and errors of forms', () =>
    inContext(at.browser, async (context) => {
      const { trouble } = watch(context);
      const fields = HOSTILE_TEXTS.map((text, index) => ({
        key: `${index}${text}`,
        label: text,
        type: index % 5 === 0 ? 'select' : text,
        required: true,
        options: HOSTILE_TEXTS.slice(0, 5),
      }));
      const conversation = at.runtime.seed(
        HOSTILE_TEXTS.slice(0, 8).map((title, index) => ({
          content: title,
          form: { id: `f${index}`, title, fields: index === 0 ? fields : fields.slice(0, 3) },
        })),
      );
      await remember(context, conversation);
      const { page, frame } = await openInHost(context, at.runtime);
      await frame.locator('.form').first().locator('.primary').click();
      await frame.locator('.form-errors').waitFor();
      expect(await inertness(page)).toEqual(INERT);
      const inputs = frame.locator('.form').first().locator('input');
      const values = await inputs.count();
      for (let index = 0; index < values; index++) await inputs.nth(index).fill(HOSTILE_TEXTS[index]!);
      for (const select of await frame.locator('.form').first().locator('select').all())
        await select.selectOption({ index: 1 });
      await frame.locator('.form').first().locator('.primary').click();
      await frame.locator('.form-summary').first().waitFor();
      expect(await inertness(page)).toEqual(INERT);
      expect(trouble).toEqual([]);
    }));

  it('in values of the owner and the site: name, greeting, logo, color, shortcuts, suggestions, locale', () =>
    inContext(at.browser, async (context) => {
      const { trouble } = watch(context);
      const shortcuts = HOSTILE_TEXTS.map((text) => ({
        id: text,
        label: text,
        command: text,
        description: text,
        type: text,
        displayOrder: 1,
      }));
      const suggestions = HOSTILE_TEXTS.map((text) => ({ id: text, label: text }));
      // All texts at once in every place, and some of them individually.
      const alone = HOSTILE_TEXTS.filter((_, index) => index % 8 === 0);
      for (const text of [HOSTILE_TEXTS.join(' '), ...alone]) {
        at.runtime.data = pageData(
          { name: text, welcome: text, logo: text, color: text, locale: text },
          { shortcuts, suggestions },
        );
        const { page, frame } = await openInHost(context, at.runtime, { color: text, greeting: text, pageUrl: text });
        await composer(frame).fill('/');
        expect([text, await inertness(page)]).toEqual([text, INERT]);
        await page.close();
      }
      expect(trouble).toEqual([]);
    }));

  it('in a stream of parts with arbitrary boundaries', () =>
    inContext(at.browser, async (context) => {
      const { trouble } = watch(context);
      const page = await openHosted(context, at.runtime);
      let finish = () => undefined as void;
      const parts = HOSTILE_TEXTS.join('\n\n').match(/[\s\S]{1,5}/g)!;
      at.runtime.deltas = { parts, until: new Promise((resolve) => (finish = resolve)) };
      await write(page, 'go');
      await page.locator('.row-draft').getByText('__proto__').waitFor();
      expect(await inertness(page)).toEqual(INERT);
      finish();
      await page.locator('.row-draft').waitFor({ state: 'detached' });
      expect(trouble).toEqual([]);
    }));
});
