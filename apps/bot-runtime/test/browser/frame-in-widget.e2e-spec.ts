import { sayAsAgent } from '@heliograph/bot-conversations';
import { expectEventually, until } from '@heliograph/testing';
import type { Frame } from 'playwright-core';
import { bubbles, composer, NINE_FIELDS, said, write } from './frame.fixture';
import { hostHtml } from './host-site';
import { BOT_ID, LoaderFixture } from './loader.fixture';

const BOT_WITH_FORM = 'bot_with_form';

/** The real loader, frame and runtime on a site of another origin. */
describe('the chat in the widget', () => {
  let widget: LoaderFixture;
  beforeAll(async () => {
    widget = await LoaderFixture.start([
      {
        publicId: BOT_WITH_FORM,
        forms: [{ id: 'details', title: 'Your details', keywords: ['demo'], fields: NINE_FIELDS.fields as never }],
      },
    ]);
  });
  afterAll(() => widget?.stop());

  const ask = async (frame: Frame): Promise<string> => {
    await write(frame, 'What are your opening hours?');
    await bubbles(frame).getByText('9 to 5.').waitFor();
    const stored = await frame.evaluate((key) => localStorage.getItem(key), `heliograph:${BOT_ID}`);
    return (JSON.parse(stored ?? '{}') as { id: string }).id;
  };
  const sayAs = (conversationId: string, content: string) =>
    widget.runtime.dataSource.transaction((transaction) =>
      sayAsAgent(transaction, { conversationId, correlationId: null }, { content, agentName: 'Maya' }),
    );

  it('focuses the composer when it opens, and returns the focus to the launcher on Escape', () =>
    widget.visit(async (visit) => {
      await visit.goto(widget.serve());
      const frame = await visit.open();
      await until('the composer has the focus', () =>
        composer(frame).evaluate((input) => input === document.activeElement),
      );
      await ask(frame);
      await visit.page.keyboard.press('Escape');
      await until('the panel is closed', async () => !(await visit.isOpen()));
      await until('the launcher has the focus', async () => (await visit.focused()).includes('launcher'));
    }));

  it('shows unread messages on the launcher until they are read', () =>
    widget.visit(async (visit) => {
      await visit.goto(widget.serve());
      const frame = await visit.open();
      const id = await ask(frame);
      await frame.getByRole('button', { name: 'Close chat' }).click();
      await until('the panel is closed', async () => !(await visit.isOpen()));
      await sayAs(id, 'Is there anything else?');
      await until('the launcher shows the unread message', async () =>
        ((await visit.launcher.getAttribute('aria-label')) ?? '').includes('1'),
      );
      await visit.open();
      await bubbles(frame).getByText('Is there anything else?').waitFor();
      await until(
        'nothing is unread',
        async () => !((await visit.launcher.getAttribute('aria-label')) ?? '').includes('1'),
      );
    }));

  it.each([
    { width: 1440, height: 900 },
    { width: 375, height: 812 },
  ])('does not move in its panel after errors in a form: $width x $height pixels', (viewport) =>
    widget.visit(
      async (visit) => {
        const html = hostHtml({ body: widget.tag('', BOT_WITH_FORM) });
        await visit.goto(widget.serve({ html }, '/form'));
        const frame = await visit.open();
        await write(frame, 'demo');
        const submit = frame.locator('.form .primary');
        await submit.waitFor();
        const place = async () => ({
          scrolled: await visit.panel.evaluate((panel) => [panel.scrollTop, panel.scrollHeight - panel.clientHeight]),
          iframe: await visit.iframe.boundingBox(),
          header: await frame.locator('header').boundingBox(),
        });
        const before = await place();
        expect(before.scrolled).toEqual([0, 0]);
        await submit.click();
        await frame.locator('.form-errors').waitFor();
        // The browser scrolls every ancestor of the focused field, also those outside of the frame.
        await frame.locator('.form-errors a, .form-errors button').last().click();
        await frame.locator('.field :focus').waitFor();
        expect(await place()).toEqual(before);
      },
      { viewport },
    ),
  );

  it('keeps the conversation when the visitor goes to another page of the site', () =>
    widget.visit(async (visit) => {
      await visit.goto(widget.serve());
      await ask(await visit.open());
      await visit.goto(widget.serve({ body: '<h1>Another page</h1>' }, '/other'));
      await visit.launcher.click();
      const frame = await visit.drawn();
      await bubbles(frame).getByText('9 to 5.').waitFor();
      await expectEventually(() => said(frame), ['What are your opening hours?', '9 to 5.']);
    }));
});
