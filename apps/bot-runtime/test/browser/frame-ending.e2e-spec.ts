import { expectEventually, until } from '@heliograph/testing';
import {
  bubbles,
  composer,
  frameTests,
  inContext,
  openHosted,
  openInHost,
  remember,
  said,
  write,
} from './frame.fixture';

const at = frameTests();

const TALK = [{ role: 'user' as const, content: 'Hello?' }, { content: 'Hi.' }];
const ratings = () => at.runtime.calls.filter(({ path }) => path.endsWith('/feedback')).map(({ body }) => body);

describe('the end of a chat', () => {
  it('requires confirmation, can be canceled, and allows the visitor to reopen the chat', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      const end = async () => {
        await frame.getByRole('button', { name: 'Chat options' }).click();
        await frame.getByRole('button', { name: 'End chat' }).click();
      };
      await end();
      await frame.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(conversation.status).toBe('open');
      await end();
      await frame.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
      await frame.getByText('This chat has ended.').waitFor();
      await expectEventually(() => composer(frame).count(), 0);
      await frame.getByRole('button', { name: 'Reopen chat' }).click();
      await write(frame, 'again');
      await bubbles(frame).getByText('You said: again').waitFor();
      await expectEventually(() => said(frame), ['Hello?', 'Hi.', 'again', 'You said: again']);
    }));

  it('by an agent is shown as such, and an archived chat can be replaced by a new chat', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await until('the stream is open', () => conversation.streams.size === 1);
      at.runtime.change(conversation, { status: 'closed' });
      await frame.getByText('Our team has closed this chat.').waitFor();
      await expectEventually(() => frame.getByRole('button', { name: 'Reopen chat' }).count(), 0);
      at.runtime.change(conversation, { status: 'archived' });
      await frame.getByText('This chat has been archived.').waitFor();
      await expectEventually(() => frame.getByRole('button', { name: 'Reopen chat' }).count(), 0);
      await frame.getByRole('button', { name: 'New chat' }).click();
      await write(frame, 'fresh');
      await bubbles(frame).getByText('You said: fresh').waitFor();
      await expectEventually(() => said(frame), ['fresh', 'You said: fresh']);
    }));

  it('during a send keeps the message until the chat is reopened', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await bubbles(frame).getByText('Hi.').waitFor();
      conversation.status = 'ended';
      await write(frame, 'wait');
      await frame.getByText('so this message was not sent').waitFor();
      await frame.getByRole('button', { name: 'Reopen chat' }).click();
      await bubbles(frame).getByText('You said: wait').waitFor();
    }));

  it('by an agent during a send makes the message the first one of a new chat', () =>
    inContext(at.browser, async (context) => {
      const conversation = at.runtime.seed(TALK);
      await remember(context, conversation);
      const { frame } = await openInHost(context, at.runtime);
      await bubbles(frame).getByText('Hi.').waitFor();
      conversation.status = 'closed';
      await write(frame, 'one more thing');
      await frame.getByText('so this message was not sent').waitFor();
      await frame.getByRole('button', { name: 'New chat' }).click();
      await bubbles(frame).getByText('You said: one more thing').waitFor();
      await expectEventually(() => said(frame), ['one more thing', 'You said: one more thing']);
    }));
});

describe('feedback', () => {
  it('is given with native radio buttons, with or without a comment, and can be changed', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed(TALK, { status: 'ended' }));
      const { page, frame } = await openInHost(context, at.runtime);
      const stars = frame.getByRole('group', { name: 'How was this chat?' }).getByRole('radio');
      await stars.first().waitFor();
      await expectEventually(() => stars.count(), 5);
      await stars.first().focus();
      await page.keyboard.press('Space');
      for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
      await frame.getByRole('button', { name: 'Send feedback' }).click();
      await frame.getByText('Thank you for your feedback.').waitFor();
      expect(ratings()).toEqual([{ rating: 4 }]);
      await frame.getByRole('button', { name: 'Change' }).click();
      await frame.getByRole('radio', { name: '2 of 5' }).check();
      await frame.getByLabel('What could we do better?').fill('Faster, please.');
      await frame.getByRole('button', { name: 'Send feedback' }).click();
      await frame.getByText('Thank you for your feedback.').waitFor();
      expect(ratings()[1]).toEqual({ rating: 2, message: 'Faster, please.' });
    }));

  it('can be given while the chat is open, and shows when it could not be sent', () =>
    inContext(at.browser, async (context) => {
      await remember(context, at.runtime.seed(TALK));
      const { frame } = await openInHost(context, at.runtime);
      at.runtime.fault = ({ path }) => (path.endsWith('/feedback') ? { status: 503 } : undefined);
      await frame.getByRole('button', { name: 'Chat options' }).click();
      await frame.getByRole('button', { name: 'Rate this chat' }).click();
      const dialog = frame.getByRole('dialog', { name: 'Rate this chat' });
      await dialog.getByRole('radio', { name: '5 of 5' }).check();
      await dialog.getByRole('button', { name: 'Send feedback' }).click();
      await dialog.getByText('That did not work.').waitFor();
      at.runtime.fault = () => undefined;
      await dialog.getByRole('button', { name: 'Send feedback' }).click();
      await dialog.getByText('Thank you for your feedback.').waitFor();
    }));
});

describe('the keyboard', () => {
  it('is sufficient to send a message, and to end, rate and reopen the chat', () =>
    inContext(at.browser, async (context) => {
      const page = await openHosted(context, at.runtime);
      const name = () =>
        page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
        });
      const tabTo = async (label: string) => {
        for (let step = 0; step < 20; step++) {
          if ((await name()).startsWith(label)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error(`Tab never reached ${label}`);
      };
      await page.keyboard.type('hello');
      await page.keyboard.press('Enter');
      await bubbles(page).getByText('You said: hello').waitFor();
      await tabTo('Chat options');
      await page.keyboard.press('Enter');
      await tabTo('End chat');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await tabTo('End chat');
      await page.keyboard.press('Enter');
      await page.getByText('This chat has ended.').waitFor();
      await until('the new text has the focus', async () => (await name()) === 'This chat has ended.');
      await tabTo('1 of 5');
      await page.keyboard.press('ArrowRight');
      await tabTo('Send feedback');
      await page.keyboard.press('Enter');
      await page.getByText('Thank you for your feedback.').waitFor();
      expect(ratings()).toEqual([{ rating: 2 }]);
      await tabTo('Reopen chat');
      await page.keyboard.press('Enter');
      await until('the composer has the focus', async () => (await name()) === 'Message');
    }));
});
