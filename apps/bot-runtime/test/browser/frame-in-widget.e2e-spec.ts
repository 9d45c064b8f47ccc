import { sayAsAgent } from '@heliograph/bot-conversations';
import { expectEventually, until } from '@heliograph/testing';
import type { Frame } from 'playwright-core';
import { bubbles, composer, said, write } from './frame.fixture';
import { BOT_ID, LoaderFixture } from './loader.fixture';

/** The real loader, frame and runtime on a site of another origin. */
describe('the chat in the widget', () => {
  let widget: LoaderFixture;
  beforeAll(async () => {
    widget = await LoaderFixture.start();
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
